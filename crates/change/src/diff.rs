//! What git says has changed.

/// A file that differs between two states of a repository.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChangedFile {
    /// From the root of the repository, with slashes.
    pub path: String,
    /// What happened to it.
    pub how: How,
}

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    /// It is new.
    Added,
    /// Its content or kind is another.
    Modified,
    /// It is gone.
    Deleted,
}

impl How {
    /// As one says it of a file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Added => "new",
            Self::Modified => "changed",
            Self::Deleted => "deleted",
        }
    }
}

impl ChangedFile {
    /// Without its folder.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }
}

/// Output that is not what git writes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("git wrote a list of changed files that cannot be read: nothing follows `{0}`")]
pub struct BadDiff(String);

/// Reads what `git diff --name-status --no-renames -z` writes.
pub fn parse_diff(output: &[u8]) -> Result<Vec<ChangedFile>, BadDiff> {
    let mut parts = texts(output);
    let mut changed = Vec::new();
    while let Some(status) = parts.next() {
        let how = match status.as_str() {
            "A" => How::Added,
            "D" => How::Deleted,
            // Of another type, or with conflicts: changed in any case.
            _ => How::Modified,
        };
        let path = parts.next().ok_or(BadDiff(status))?;
        changed.push(ChangedFile { path, how });
    }
    Ok(changed)
}

/// Reads what `git ls-files --others -z` writes: files that nobody has added.
pub fn parse_untracked(output: &[u8]) -> Vec<ChangedFile> {
    texts(output).map(|path| ChangedFile { path, how: How::Added }).collect()
}

fn texts(output: &[u8]) -> impl Iterator<Item = String> {
    let parts = output.split(|byte| *byte == 0).filter(|part| !part.is_empty());
    parts.map(|part| String::from_utf8_lossy(part).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_spaces_and_line_breaks_are_names() {
        let changed = parse_diff(b"M\0a b/C.java\0D\0x\ny.txt\0T\0link\0").unwrap();
        let seen: Vec<_> = changed.iter().map(|file| (file.path.as_str(), file.how)).collect();
        let expected =
            [("a b/C.java", How::Modified), ("x\ny.txt", How::Deleted), ("link", How::Modified)];
        assert_eq!(seen, expected);
        assert_eq!(changed[0].name(), "C.java");
        assert!(parse_diff(b"").unwrap().is_empty());
        assert_eq!(parse_diff(b"M\0").unwrap_err(), BadDiff("M".into()));
    }

    #[test]
    fn files_that_nobody_has_added_are_new() {
        let files = parse_untracked(b"a/New.java\0b.txt\0");
        assert!(files.iter().all(|file| file.how == How::Added));
        assert_eq!(files[1].path, "b.txt");
    }
}
