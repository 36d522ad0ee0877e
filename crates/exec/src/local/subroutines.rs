//! Which classes an archive must do without, because methods of theirs call
//! subroutines, as compilers before Java 6 made `finally`.
//!
//! The JVM rewrites such a method when it links the class and notes the new one
//! in the class, which JDK 17 to 20 keep in the part of an archive that cannot
//! be written (JDK-8302795): they crash. To leave such a class out of the list
//! is not enough. When the archive is made, the JVM loads the supertypes of
//! what is listed, and what it needs to verify that, and archives all of it.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::PathBuf;

use residue_classfile::{ClassFile, text};
use zip::ZipArchive;

/// Classes of older formats are verified when they are used.
const FIRST_VERIFIED_AHEAD: u16 = 50;

/// Those of the listed classes that have subroutines, or may bring one that has
/// into the archive.
pub(super) fn bring_subroutines<'a>(
    listed: impl Iterator<Item = &'a str>,
    jars: &[PathBuf],
) -> HashSet<String> {
    let open = |jar: &PathBuf| ZipArchive::new(BufReader::new(File::open(jar).ok()?)).ok();
    let mut jars: Vec<_> = jars.iter().filter_map(open).collect();
    let mut brought_by: HashMap<String, Vec<String>> = HashMap::new();
    let mut found = Vec::new();
    let mut waiting: Vec<String> = listed.map(str::to_owned).collect();
    let mut seen: HashSet<String> = waiting.iter().cloned().collect();
    while let Some(class) = waiting.pop() {
        let file = format!("{class}.class");
        let Some(bytes) = jars.iter_mut().find_map(|jar| read(jar, &file)) else { continue };
        let Some(brought) = brought(&bytes) else {
            found.push(class);
            continue;
        };
        for other in brought {
            if seen.insert(other.clone()) {
                waiting.push(other.clone());
            }
            brought_by.entry(other).or_default().push(class.clone());
        }
    }
    let mut left_out = HashSet::new();
    while let Some(class) = found.pop() {
        found.extend(brought_by.remove(&class).unwrap_or_default());
        left_out.insert(class);
    }
    left_out
}

/// What comes into an archive together with this class; nothing if the class
/// itself must not.
fn brought(bytes: &[u8]) -> Option<Vec<String>> {
    let class = ClassFile::parse(bytes).ok().filter(|class| !class.has_subroutines())?;
    let summary = class.summary();
    let supertypes = summary.super_name.into_iter().chain(summary.interfaces);
    let names: Vec<&[u8]> = if summary.version < FIRST_VERIFIED_AHEAD {
        supertypes.collect()
    } else {
        supertypes.chain(class.mentioned_classes()).collect()
    };
    Some(names.into_iter().map(|name| text(name).into_owned()).collect())
}

fn read(jar: &mut ZipArchive<BufReader<File>>, file: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    jar.by_name(file).ok()?.read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use residue_test_support::{HandMadeClass, WITH_SUBROUTINE, WITHOUT_SUBROUTINE};
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    #[test]
    fn a_class_with_subroutines_is_left_out_with_all_that_would_bring_it() {
        let object = "java/lang/Object";
        let classes = [
            ("Finally", object, 49, "()I", WITH_SUBROUTINE),
            ("Child", "Finally", 49, "()I", WITHOUT_SUBROUTINE),
            ("VerifiedWithChild", object, 50, "(LChild;)I", WITHOUT_SUBROUTINE),
            ("VerifiedLater", object, 49, "(LChild;)I", WITHOUT_SUBROUTINE),
            ("Old", object, 45, "()I", WITHOUT_SUBROUTINE),
        ];
        let folder = tempfile::tempdir().unwrap();
        let jar = folder.path().join("a.jar");
        let mut writer = ZipWriter::new(File::create(&jar).unwrap());
        for (name, super_name, format, descriptor, code) in classes {
            let class = HandMadeClass { name, super_name, format, descriptor, code };
            writer.start_file(format!("{name}.class"), SimpleFileOptions::default()).unwrap();
            writer.write_all(&class.bytes()).unwrap();
        }
        writer.finish().unwrap();
        let left_out_of = |listed: &[&str]| {
            let left_out = bring_subroutines(listed.iter().copied(), std::slice::from_ref(&jar));
            listed.iter().filter(|class| left_out.contains(**class)).count()
        };
        assert_eq!(left_out_of(&["Finally", "Child", "VerifiedWithChild"]), 3);
        assert_eq!(left_out_of(&["VerifiedWithChild"]), 1, "what it brings was not loaded before");
        assert_eq!(left_out_of(&["VerifiedLater", "Old", object]), 0);
    }
}
