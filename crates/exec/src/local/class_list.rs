//! The list of classes that an archive is made from, less what must not be in it.

use std::fs;
use std::path::{Path, PathBuf};

use super::subroutines::bring_subroutines;

/// Tells archives apart from those that were made with other classes left out.
pub(super) const EDITION: &str = "without subroutines";

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
    let harmful = bring_subroutines(classes().map(class_of), jars);
    let kept = classes().filter(|line| !harmful.contains(class_of(line)));
    fs::write(class_list, kept.flat_map(|line| [line, "\n"]).collect::<String>()).ok()
}

/// What follows the name tells where a class was loaded.
fn class_of(line: &str) -> &str {
    line.split_once(' ').map_or(line, |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lambda_forms_and_resolved_constants_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("list");
        let listed = "# note\njava/lang/Object id: 0\n@cp a/New 1\na/New id: 2\n\
                      @lambda-form-invoker [SPECIES_RESOLVE] a.Species_LI (salvaged)\n";
        fs::write(&list, listed).unwrap();
        tidy(&list, &[]).unwrap();
        let kept = fs::read_to_string(&list).unwrap();
        assert_eq!(kept, "# note\njava/lang/Object id: 0\na/New id: 2\n");
    }
}
