//! Rewrites all classes of folders and jars, for `scripts/verify-rewrite`.
//!
//!     rewrite_classes tracked|watched HOOK OUT INPUT...
//!
//! HOOK is the class file of the hook class. Each INPUT, a folder of classes or
//! a jar, becomes OUT/NAME.jar with the classes that changed. Watched classes also
//! tell which of their code runs, which those of the JDK never do: in its first
//! ones there would be nobody yet to tell. Prints figures as JSON.

use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use residue_classfile::{
    ClassFile, EntryTable, FieldIds, FieldReference, Hook, Plan, Replacement, ReplacementTable,
    text,
};
use serde_json::json;
use zip::write::SimpleFileOptions;

type Failure = Box<dyn Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [manner, hook, out, inputs @ ..] = arguments.as_slice() else {
        return Err("usage: rewrite_classes tracked|watched HOOK OUT INPUT...".into());
    };
    let hook = fs::read(hook)?;
    let hook = ClassFile::parse(&hook)?;
    let (replacements, entries) = (replacements(&hook)?, EntryTable::default());
    let hook_class = text(hook.name());
    // Numbers that take a constant each, as in a large program.
    let watch = (manner.as_os_str() == "watched").then_some(40_000);
    let plan =
        Plan { hook_class: &hook_class, replacements: &replacements, entries: &entries, watch };
    fs::create_dir_all(out)?;
    let mut figures = Figures::default();
    let mut ids = CountedFields::default();
    for input in inputs {
        let classes = classes(input)?;
        let name = input.file_name().unwrap_or_default().to_string_lossy();
        let mut jar = zip::ZipWriter::new(File::create(
            out.join(format!("{}.jar", name.trim_end_matches(".jar"))),
        )?);
        for (path, bytes) in &classes {
            if let Some(changed) = figures.rewrite(path, bytes, &plan, &mut ids) {
                let stored = zip::CompressionMethod::Stored;
                jar.start_file(path, SimpleFileOptions::default().compression_method(stored))?;
                jar.write_all(&changed)?;
            }
        }
        jar.finish()?;
    }
    writeln!(std::io::stdout(), "{}", figures.json())?;
    Ok(())
}

/// Numbers beyond 16 bit as in a large program, so that all forms occur.
#[derive(Default)]
struct CountedFields {
    ids: HashMap<(Vec<u8>, Vec<u8>), u32>,
}

impl FieldIds for CountedFields {
    fn field(&mut self, field: FieldReference<'_>) -> Option<u32> {
        let next = u32::try_from(self.ids.len()).ok()?;
        Some(*self.ids.entry((field.owner.into(), field.name.into())).or_insert(next))
    }
}

/// The hook class tells by its methods what it replaces: those with an Unsafe
/// as first parameter stand for its methods, `arraycopy` for that of System.
fn replacements(hook: &ClassFile<'_>) -> Result<ReplacementTable, Failure> {
    const UNSAFE: &str = "jdk/internal/misc/Unsafe";
    let mut table = ReplacementTable::default();
    for method in hook.methods() {
        let (name, descriptor) = (text(method.name), text(method.descriptor));
        let shortened = descriptor.strip_prefix(&format!("(L{UNSAFE};"));
        let (owner, descriptor, is_static) = match shortened {
            Some(rest) => (UNSAFE, format!("({rest}"), false),
            None if name == "arraycopy" => ("java/lang/System", descriptor.to_string(), true),
            None => continue,
        };
        let hook_name = &name;
        table.add(Replacement {
            owner,
            name: &name,
            descriptor: &descriptor,
            is_static,
            hook_name,
        })?;
    }
    debug_assert!(
        Hook::ALL.iter().all(|one| hook.methods().any(|m| m.name == one.name().as_bytes()))
    );
    Ok(table)
}

fn classes(input: &Path) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let mut found = Vec::new();
    if input.is_dir() {
        for entry in walkdir::WalkDir::new(input) {
            let entry = entry?;
            if entry.path().extension().is_some_and(|extension| extension == "class") {
                let relative = entry.path().strip_prefix(input)?.to_string_lossy().into_owned();
                found.push((relative, fs::read(entry.path())?));
            }
        }
    } else {
        let mut archive = zip::ZipArchive::new(File::open(input)?)?;
        for index in 0..archive.len() {
            let mut file = archive.by_index(index)?;
            let name = file.name()?.into_owned();
            if name.ends_with(".class") {
                let mut bytes = Vec::new();
                file.read_to_end(&mut bytes)?;
                found.push((name, bytes));
            }
        }
    }
    Ok(found)
}

#[derive(Default)]
struct Figures {
    classes: u64,
    rewritten: u64,
    sites: u64,
    redundant: u64,
    grown_past_compile_limit: u64,
    bytes_before: u64,
    bytes_after: u64,
    time: Duration,
    declined: BTreeMap<String, Vec<String>>,
}

impl Figures {
    fn rewrite(
        &mut self,
        path: &str,
        bytes: &[u8],
        plan: &Plan<'_>,
        ids: &mut CountedFields,
    ) -> Option<Vec<u8>> {
        let start = processor_time();
        let result = residue_classfile::rewrite(bytes, plan, ids);
        self.time += processor_time() - start;
        self.classes += 1;
        let result = match result {
            Ok(result) => result,
            Err(reason) => {
                self.declined.entry(kind(&reason)).or_default().push(path.to_owned());
                return None;
            }
        };
        self.sites += u64::from(result.sites);
        self.redundant += u64::from(result.redundant);
        self.grown_past_compile_limit += u64::from(result.grown_past_compile_limit);
        for one in result.declined_methods {
            let place = format!("{path} {}", one.method);
            self.declined.entry(kind(&one.reason)).or_default().push(place);
        }
        let changed = result.bytes?;
        self.rewritten += 1;
        self.bytes_before += bytes.len() as u64;
        self.bytes_after += changed.len() as u64;
        Some(changed)
    }

    fn json(&self) -> serde_json::Value {
        json!({
            "classes": self.classes,
            "rewritten": self.rewritten,
            "sites": self.sites,
            "redundant": self.redundant,
            "grown_past_compile_limit": self.grown_past_compile_limit,
            "growth": self.bytes_after as f64 / self.bytes_before.max(1) as f64,
            "classes_per_second": self.classes as f64 / self.time.as_secs_f64(),
            "declined": self.declined,
        })
    }
}

/// Not the time that has passed, which depends on what else the machine does.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// The name of the variant.
fn kind(reason: &impl std::fmt::Debug) -> String {
    let text = format!("{reason:?}");
    text.split([' ', '(']).next().unwrap_or_default().to_owned()
}
