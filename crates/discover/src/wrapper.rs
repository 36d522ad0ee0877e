//! The script with which a project brings its own build tool.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The nearest wrapper in the project's folder or above it.
pub(crate) fn find(root: &Path, name: &str) -> Option<PathBuf> {
    root.ancestors().map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Started through the shell, since a checkout may have lost the executable bit.
pub(crate) fn command(wrapper: &Path) -> Command {
    let mut command = Command::new("sh");
    command.arg(wrapper);
    command
}

/// What to tell when a wrapper could not get its build tool.
pub(crate) fn warning(wrapper: &Path, instead: &str, reason: &str) -> String {
    format!("{} did not start, so `{instead}` was used:\n{reason}", wrapper.display())
}
