//! The list of classes that an archive is made from, less what must not be in it.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use zip::ZipArchive;

/// Archived classes of older formats crash JDK 17 when they are linked, if the
/// archive is at its fixed address. Seen with 45 (JUnit 3.8.1) and 46 (3.8.2),
/// not with 49 (all of JUnit 4).
pub(super) const OLDEST_FORMAT: u16 = 49;

/// What besides classes is not taken from a list.
///
/// - Which lambda forms were made. The JVM would put classes for them into the
///   archive that are in no file, and look for their file once somebody wants to
///   see classes before they are loaded: Mockito's agent crashed JDK 17 so.
/// - Which constants were resolved. To resolve them again newer JDKs link
///   classes, and then leave out those of old formats, such as all of JUnit 4:
///   measured on 25, starts are quicker without.
pub(super) const LEFT_OUT: [&str; 2] = ["@lambda-form-invoker ", "@cp "];

/// Rewrites the list in place.
pub(super) fn tidy(class_list: &Path, jars: &[PathBuf]) -> Option<()> {
    let listed = fs::read_to_string(class_list).ok()?;
    let is_left_out = |line: &str| LEFT_OUT.iter().any(|kind| line.starts_with(kind));
    let classes = || listed.lines().filter(|line| !is_left_out(line));
    let too_old = too_old(classes().map(class_of), jars);
    let kept = classes().filter(|line| !too_old.contains(class_of(line)));
    fs::write(class_list, kept.flat_map(|line| [line, "\n"]).collect::<String>()).ok()
}

/// What follows the name tells where a class was loaded.
fn class_of(line: &str) -> &str {
    line.split_once(' ').map_or(line, |(name, _)| name)
}

fn too_old<'a>(classes: impl Iterator<Item = &'a str>, jars: &[PathBuf]) -> HashSet<&'a str> {
    let open = |jar: &PathBuf| ZipArchive::new(BufReader::new(File::open(jar).ok()?)).ok();
    let mut jars: Vec<_> = jars.iter().filter_map(open).collect();
    let mut is_too_old = |class: &&str| {
        let file = format!("{class}.class");
        jars.iter_mut().find_map(|jar| format_of(jar, &file)).is_some_and(|it| it < OLDEST_FORMAT)
    };
    classes.filter(|class| is_too_old(class)).collect()
}

/// The major version in the header of a class file.
fn format_of(jar: &mut ZipArchive<BufReader<File>>, file: &str) -> Option<u16> {
    let mut header = [0; 8];
    jar.by_name(file).ok()?.read_exact(&mut header).ok()?;
    Some(u16::from_be_bytes([header[6], header[7]]))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    #[test]
    fn old_formats_lambda_forms_and_resolved_constants_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let jar = folder.path().join("a.jar");
        let mut writer = ZipWriter::new(File::create(&jar).unwrap());
        for (name, format) in [("a/Old", 46), ("a/New", 49)] {
            writer.start_file(format!("{name}.class"), SimpleFileOptions::default()).unwrap();
            writer.write_all(&[0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, format, 0, 1]).unwrap();
        }
        writer.finish().unwrap();
        let list = folder.path().join("list");
        let listed = "# note\njava/lang/Object id: 0\na/Old id: 1\n@cp a/New 1\na/New id: 2\n\
                      @lambda-form-invoker [SPECIES_RESOLVE] a.Species_LI (salvaged)\n";
        fs::write(&list, listed).unwrap();
        tidy(&list, &[jar]).unwrap();
        let kept = fs::read_to_string(&list).unwrap();
        assert_eq!(kept, "# note\njava/lang/Object id: 0\na/New id: 2\n");
    }
}
