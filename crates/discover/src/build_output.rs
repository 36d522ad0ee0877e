//! Runs a build tool and keeps what it prints.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::thread;

/// How a build tool ended and what it printed, both streams together.
pub(crate) struct BuildOutput {
    pub(crate) status: ExitStatus,
    pub(crate) lines: Vec<String>,
}

/// Lines kept of a talkative build; its errors are at the end.
const KEPT_LINES: usize = 20_000;
/// Error lines shown to the user.
const SHOWN_LINES: usize = 30;

impl BuildOutput {
    /// Runs the command to its end; `on_line` sees each line as it comes.
    pub(crate) fn of(
        mut command: Command,
        on_line: &mut dyn FnMut(&str),
    ) -> std::io::Result<BuildOutput> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let (sender, receiver) = channel();
        let readers = [
            child.stdout.take().map(|stream| forward(stream, sender.clone())),
            child.stderr.take().map(|stream| forward(stream, sender)),
        ];
        let mut lines = Vec::new();
        for line in receiver {
            on_line(&line);
            if lines.len() == KEPT_LINES {
                lines.drain(..KEPT_LINES / 2);
            }
            lines.push(line);
        }
        for reader in readers.into_iter().flatten() {
            // A reader only ever ends by reaching the end of its stream.
            let _ = reader.join();
        }
        Ok(BuildOutput { status: child.wait()?, lines })
    }

    pub(crate) fn contains(&self, text: &str) -> bool {
        self.lines.iter().any(|line| line.contains(text))
    }

    /// The lines a person needs to see what went wrong: those of which
    /// `error_text` finds something to show, or the last few when there is none.
    pub(crate) fn excerpt(&self, error_text: impl Fn(&str) -> Option<&str>) -> String {
        let mut picked: Vec<&str> = self.lines.iter().filter_map(|line| error_text(line)).collect();
        picked.dedup();
        if picked.is_empty() {
            let last = self.lines.len().saturating_sub(SHOWN_LINES / 2);
            picked = self.lines[last..].iter().map(String::as_str).collect();
        }
        let left_out = picked.len().saturating_sub(SHOWN_LINES);
        let mut shown: Vec<String> = picked
            .iter()
            .take(SHOWN_LINES)
            .map(|line| format!("    {}", line.trim_end()))
            .collect();
        if left_out > 0 {
            shown.push(format!("    ... and {left_out} more lines"));
        }
        shown.join("\n")
    }
}

fn forward(stream: impl Read + Send + 'static, lines: Sender<String>) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        let mut reader = BufReader::new(stream);
        let mut bytes = Vec::new();
        while reader.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
            let line = String::from_utf8_lossy(&bytes);
            if lines.send(line.trim_end_matches(['\n', '\r']).to_owned()).is_err() {
                return;
            }
            bytes.clear();
        }
    })
}

/// A command as one could type it.
pub(crate) fn shown(command: &Command) -> String {
    std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| quoted(&word.to_string_lossy()))
        .collect::<Vec<_>>()
        .join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_streams_and_the_status_are_kept() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo out; echo '[ERROR] bad' >&2; exit 3"]);
        let mut seen = 0;
        let output = BuildOutput::of(command, &mut |_| seen += 1).unwrap();
        assert_eq!(output.status.code(), Some(3));
        assert_eq!(seen, 2);
        assert_eq!(
            output.excerpt(|line| line.starts_with("[ERROR]").then_some(line)),
            "    [ERROR] bad"
        );
        assert!(output.contains("out"));
    }

    #[test]
    fn without_marked_errors_the_last_lines_are_shown() {
        let mut command = Command::new("sh");
        command.args(["-c", "seq 100"]);
        let output = BuildOutput::of(command, &mut |_| {}).unwrap();
        let excerpt = output.excerpt(|_| None);
        assert!(excerpt.ends_with("    99\n    100") && !excerpt.contains(" 85\n"), "{excerpt}");
    }

    #[test]
    fn a_shown_command_can_be_typed() {
        let mut command = Command::new("mvn");
        command.args(["-Dx=a b", "it's", "test"]);
        assert_eq!(shown(&command), r"mvn '-Dx=a b' 'it'\''s' test");
    }
}
