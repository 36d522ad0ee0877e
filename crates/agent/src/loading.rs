//! Class files on their way into the JVM.
//!
//! What is known of classes is locked only for moments, so that classes can be
//! rewritten ahead of the JVM meanwhile.

use std::sync::Mutex;

use residue_classfile::{ClassFile, Rewritten};
use residue_model::trace::GapKind;

use crate::field_references::Numbering;
use crate::gaps::Gaps;
use crate::knowledge::{Knowledge, lock};
use crate::names::Name;
use crate::never::is_left_alone;
use crate::registry::{Added, LeftOut};
use crate::watching::Watching;

/// Says that JUnit 5 may use one instance for all tests of a class. Only the
/// engine knows that instance.
const TEST_INSTANCE: &[u8] = b"Lorg/junit/jupiter/api/TestInstance;";

/// A class file that the JVM has read.
#[derive(Debug)]
pub(crate) struct Loading<'a> {
    /// As the JVM calls it, with slashes; may be empty.
    pub(crate) name: &'a [u8],
    pub(crate) bytes: &'a [u8],
    /// Not for classes of the JDK.
    pub(crate) watching: Option<&'a mut Watching>,
}

/// What came of a class file.
#[derive(Debug, Default)]
pub(crate) struct Loaded {
    /// The class with hooks, or nothing if it stays as it is.
    pub(crate) bytes: Option<Vec<u8>>,
    pub(crate) gaps: Gaps,
    pub(crate) left_out: Vec<LeftOut>,
}

impl Loading<'_> {
    /// Rewrites the class. In any case the registry knows it afterwards.
    pub(crate) fn rewrite(self, knowledge: &Mutex<Knowledge>) -> Loaded {
        let Self { name, bytes, mut watching } = self;
        let mut loaded = Loaded::default();
        let class = match ClassFile::parse(bytes) {
            Ok(class) => class,
            Err(reason) => {
                loaded.gaps.add(GapKind::ClassDeclined, reason.to_string(), 1);
                if let Some(watching) = watching {
                    watching.add_unwatched(name, &reason.to_string(), &mut loaded.gaps);
                }
                return loaded;
            }
        };
        let Loaded { gaps, left_out, .. } = &mut loaded;
        let summary = class.summary();
        let left_out = watching.is_some().then_some(left_out);
        let is_left_alone = is_left_alone(class.name());
        let (added, tables) = {
            let Knowledge { registry, rewriting, .. } = &mut *lock(knowledge);
            let added = registry.add_summary(&summary, left_out);
            (added, (!is_left_alone).then(|| rewriting.tables(&class)))
        };
        if summary.annotations.contains(&TEST_INSTANCE) {
            let detail = "what its tests share in an instance that JUnit keeps";
            gaps.add(GapKind::Other, format!("{}: {detail}", shown(&class)), 1);
        }
        if added == Added::Differs {
            let detail = "two classes of that name have different fields";
            gaps.add(GapKind::LayoutUnknown, format!("{}: {detail}", shown(&class)), 1);
        }
        let Some(tables) = tables else { return loaded };
        let candidate = watching.as_mut().and_then(|all| all.candidate(class.name(), bytes, gaps));
        let plan = tables.plan(candidate.as_ref().map(|candidate| candidate.number));
        let mut numbering = Numbering::new(knowledge, false);
        let mut rewritten = class.rewrite(&plan, &mut numbering);
        add_gaps(&class, &rewritten, &numbering, gaps);
        if let (Some(watching), Some(candidate)) = (watching, candidate) {
            let code = std::mem::take(&mut rewritten.code);
            watching.add(candidate, &class, &summary, code, gaps);
        }
        loaded.bytes = rewritten.bytes;
        loaded
    }
}

/// What came of a class of the JDK that the JVM has not loaded yet. As long as
/// it has not, nobody else learns of it.
#[derive(Debug, Default)]
pub(crate) struct Foreseen {
    /// As in [`Loaded`].
    pub(crate) bytes: Option<Vec<u8>>,
    pub(crate) gaps: Gaps,
    /// Classes that must be loaded by then, see `Registry::arrive`.
    pub(crate) relied_on: Vec<Name>,
}

/// Rewrites a class of the JDK ahead of the JVM. The registry expects it
/// afterwards. Nothing if the JVM was first, or if it is not this class.
pub(crate) fn rewrite_ahead(
    name: &str,
    bytes: &[u8],
    knowledge: &Mutex<Knowledge>,
) -> Option<Foreseen> {
    let class = ClassFile::parse(bytes).ok()?;
    if class.name() != name.as_bytes() {
        return None;
    }
    let summary = class.summary();
    let is_left_alone = is_left_alone(class.name());
    let tables = {
        let Knowledge { registry, rewriting, .. } = &mut *lock(knowledge);
        if !registry.expect(&summary) {
            return None;
        }
        (!is_left_alone).then(|| rewriting.tables(&class))
    };
    let Some(tables) = tables else { return Some(Foreseen::default()) };
    let mut numbering = Numbering::new(knowledge, true);
    let rewritten = class.rewrite(&tables.plan(None), &mut numbering);
    let mut gaps = Gaps::default();
    add_gaps(&class, &rewritten, &numbering, &mut gaps);
    Some(Foreseen { bytes: rewritten.bytes, gaps, relied_on: numbering.relied_on })
}

fn add_gaps(
    class: &ClassFile<'_>,
    rewritten: &Rewritten,
    numbering: &Numbering<'_>,
    gaps: &mut Gaps,
) {
    gaps.add(GapKind::Other, "more fields than the hook has room for", numbering.turned_away);
    for method in &rewritten.declined_methods {
        let detail = format!("{}.{}: {}", shown(class), method.method, method.reason);
        gaps.add(GapKind::MethodDeclined, detail, 1);
    }
}

fn shown(class: &ClassFile<'_>) -> String {
    residue_classfile::text(class.name()).replace('/', ".")
}
