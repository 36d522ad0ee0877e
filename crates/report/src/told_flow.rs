//! Through what a test sees what another left, told without the trace that showed
//! it.

use residue_graph::{Flow, Side};
use residue_model::trace::{
    LocationName, Outside, OutsideKind, PathRoot, Pollution, StackId, Trace, Value,
};
use residue_model::{Frame, TestId};
use serde::Serialize;

use crate::pollution_changes::changes_of;
use crate::style::{DIM, HEADING, paint};
use crate::suspects::Suspect;
use crate::trace_frames::{interesting, is_surrounding};

/// Who wrote it, what it held, and where it was written and read.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ToldFlow {
    /// The way there, with short class names, or what everybody calls it.
    pub(crate) path: String,
    /// Where the way begins, in full.
    root: String,
    /// Who wrote it last.
    writer: TestId,
    #[serde(skip)]
    reader: TestId,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    created: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    old: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<String>,
    /// What became of it where that takes more than two values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changes: Vec<String>,
    /// The same for people if it does not, behind a word that says what it is.
    #[serde(skip)]
    change: Option<(&'static str, String)>,
    written_at: Vec<Frame>,
    read_at: Vec<Frame>,
}

impl ToldFlow {
    /// What `reader` read there.
    pub(crate) fn of(flow: &Flow<'_>, trace: &Trace, reader: &TestId) -> Self {
        let path = trace.path(flow.location);
        let written = &flow.earlier;
        let value = |value: Option<&Value>| value.map(ToString::to_string);
        let frames = |stack: Option<StackId>| {
            stack.into_iter().flat_map(|stack| trace.frames_of(stack)).cloned().collect()
        };
        Self {
            path: format!("{path:#}"),
            root: path.root.to_string(),
            writer: trace.test_of(written.epoch).clone(),
            reader: reader.clone(),
            created: written.created,
            old: value(written.old),
            new: value(written.new),
            changes: Vec::new(),
            change: match &trace.location(flow.location).name {
                LocationName::Outside(outside) => outside_change(outside, written),
                _ => change(written),
            },
            written_at: frames(written.stack),
            read_at: frames(flow.later.stack),
        }
    }

    /// What `reader` read of a piece of state. What the writer left changed tells
    /// more about objects than the locations in them.
    pub(crate) fn of_suspect(suspect: &Suspect<'_>, trace: &Trace, reader: &TestId) -> Self {
        let first = &suspect.flows[0];
        let is_object = |value: Option<&Value>| matches!(value, Some(Value::Object { .. }));
        let says_little = is_object(first.earlier.old) || is_object(first.earlier.new);
        let told = Self { path: suspect.piece.to_string(), ..Self::of(first, trace, reader) };
        if !(suspect.piece.is_contents || says_little) {
            return told;
        }
        let left: Vec<&Pollution> = trace
            .pollutions
            .iter()
            .filter(|one| *trace.test_of(one.epoch) == told.writer)
            .filter(|one| one.locations.iter().any(|at| suspect.piece.has(trace.path(*at))))
            .collect();
        let (path, changes) = match (left.first(), told.change) {
            (Some(first), _) => (name_of_jvm_state(first).unwrap_or(told.path), changes_of(&left)),
            // Below a container it would not be clear what the values are of.
            (None, Some((_, change))) if suspect.piece.is_contents => {
                let within = trace.path(suspect.flows[0].location);
                (told.path, vec![format!("{within:#} {change}")])
            }
            (None, change) => return Self { change, ..told },
        };
        Self { path, old: None, new: None, change: None, changes, ..told }
    }

    /// What is said below the path, each line with a word in front of it, which
    /// may be empty.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (&'static str, String)> {
        let label = |at: usize| if at == 0 { "value" } else { "" };
        let changes =
            self.changes.iter().enumerate().map(move |(at, one)| (label(at), one.clone()));
        let change = changes.chain(self.change.clone());
        let written = stack_lines("written at", &self.written_at, &self.writer);
        let read = stack_lines("read at", &self.read_at, &self.reader);
        change.chain(written).chain(read)
    }

    /// The path, and all that is said below it.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("   {}\n", paint(HEADING, &self.path));
        for (label, line) in self.lines() {
            text += &format!("      {label:<11} {line}\n");
        }
        text
    }
}

/// What everybody calls it, if it is of the JVM itself.
fn name_of_jvm_state(left: &Pollution) -> Option<String> {
    match &left.place.root {
        PathRoot::Static { class, .. } if is_surrounding(class) => {
            Some(residue_pollution::name(left))
        }
        _ => None,
    }
}

fn change(written: &Side<'_>) -> Option<(&'static str, String)> {
    let change = match (written.old, written.new) {
        _ if written.created => return Some(("made", "the object was made by this test".into())),
        // What it holds says something, which it is does not.
        (_, Some(new)) if is_entry_of_thread_local(new) => return None,
        (Some(old), Some(new)) => format!("{old} -> {new}"),
        (None, Some(new)) => format!("now {new}"),
        (Some(old), None) => format!("was {old}"),
        (None, None) => return None,
    };
    Some(("value", change))
}

fn is_entry_of_thread_local(value: &Value) -> bool {
    matches!(value, Value::Object { class, .. } if class.ends_with("ThreadLocalMap$Entry"))
}

/// Of what is outside the heap it is known at most whether it is there.
fn outside_change(outside: &Outside, written: &Side<'_>) -> Option<(&'static str, String)> {
    let state = |value: Option<&Value>| match value {
        Some(Value::Boolean(is_there)) => Some(outside.state(*is_there)),
        _ => None,
    };
    let change = match (outside.kind, state(written.old), state(written.new)) {
        (OutsideKind::FolderListing, ..) | (_, None, None) => return None,
        (_, Some(old), Some(new)) => format!("{old} -> {new}"),
        (_, None, Some(new)) => format!("now {new}"),
        (_, Some(old), None) => format!("{old} -> another one {old}"),
    };
    Some(("change", change))
}

fn stack_lines(
    label: &'static str,
    stack: &[Frame],
    test: &TestId,
) -> impl Iterator<Item = (&'static str, String)> {
    let frames = interesting(stack.iter(), test).into_iter();
    let label = move |place: usize| if place == 0 { label } else { "" };
    frames.enumerate().map(move |(place, frame)| (label(place), paint(DIM, frame)))
}
