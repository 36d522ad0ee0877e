//! What the VM says about its own crash (`hs_err`), in a few lines.

use std::fs;
use std::path::Path;

use super::command_line::ERROR_FILE;

/// A report is a few hundred kilobytes; what we want is at its beginning.
const MOST_READ: usize = 1 << 20;
const MOST_FRAMES: usize = 40;

/// The summary of the report in a JVM's folder, if it wrote one.
pub(super) fn read(folder: &Path) -> Option<String> {
    let bytes = fs::read(folder.join(ERROR_FILE)).ok()?;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(MOST_READ)]).into_owned();
    Some(summary(&text))
}

fn summary(report: &str) -> String {
    let header = report
        .lines()
        .take_while(|line| line.starts_with('#'))
        .map(|line| line.trim_start_matches('#').trim())
        .filter(|line| !line.is_empty());
    let thread = report.lines().find(|line| line.starts_with("Current thread"));
    let frames = report
        .lines()
        .skip_while(|line| !line.starts_with("Java frames:"))
        .take_while(|line| !line.is_empty())
        .take(MOST_FRAMES);
    let lines: Vec<&str> = header.chain(thread).chain(frames).collect();
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_has_the_reason_and_the_java_frames() {
        let report = "#\n# A fatal error:\n#\n#  SIGSEGV (0xb)\n\n---- SUMMARY\nmuch\n\n\
                      Current thread (0x7f):  JavaThread \"main\"\n\nStack: x\n\
                      Java frames: (J=compiled)\nj  a.T.m()V+3\nv  ~Stub\n\nRegisters:\n";
        let expected = "A fatal error:\nSIGSEGV (0xb)\nCurrent thread (0x7f):  JavaThread \"main\"\n\
                        Java frames: (J=compiled)\nj  a.T.m()V+3\nv  ~Stub\n";
        assert_eq!(summary(report), expected);
    }
}
