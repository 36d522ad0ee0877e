//! Where documents for other programs go.

use std::io::Write as _;
use std::path::Path;
use std::{fs, io};

use crate::error::CliError;
use crate::printer::Printer;

/// Whether the document takes standard output for itself.
pub fn owns_stdout(path: Option<&Path>) -> bool {
    path.is_some_and(|path| path.as_os_str() == "-")
}

/// Writes a document to a file, or to standard output for `-`.
pub fn write_document(path: &Path, document: &str, printer: &mut Printer) -> Result<(), CliError> {
    if owns_stdout(Some(path)) {
        printer.data(document);
        return Ok(());
    }
    write_whole(path, document).map_err(|source| CliError::Write { path: path.into(), source })
}

/// Readers never see half a document: it appears under its name when complete.
fn write_whole(path: &Path, document: &str) -> io::Result<()> {
    let partial = path.with_extension("partial");
    let write = |partial: &Path| -> io::Result<()> {
        let mut file = fs::File::create(partial)?;
        file.write_all(document.as_bytes())?;
        file.sync_all()?;
        fs::rename(partial, path)
    };
    write(&partial).inspect_err(|_| {
        let _ = fs::remove_file(&partial);
    })
}
