//! What all threads were doing when the time was up.

use std::time::{Duration, Instant};

use residue_wire::Event;

use super::jvm::{Jvm, Listener, Woken};
use super::output::Stream;
use crate::ExecError;

/// How HotSpot begins a thread dump on standard output, and what follows the
/// threads and their deadlocks.
const BEGIN: &[u8] = b"Full thread dump";
const END: &[u8] = b"\nHeap\n";
/// Enough for hundreds of threads.
const LONGEST: usize = 256 << 10;
/// A VM that is alive answers in milliseconds.
const PATIENCE: Duration = Duration::from_secs(2);

/// Asks for a dump and waits for it. Events no longer count: the time was up.
pub(super) fn take(jvm: &mut Jvm) -> Option<String> {
    jvm.ask_for_thread_dump();
    let deadline = Instant::now() + PATIENCE;
    let mut dump = Dump::default();
    while !dump.complete && Instant::now() < deadline {
        match jvm.attend(Some(deadline), &[], &mut dump) {
            Ok(Woken::Progress) => {}
            Ok(Woken::Deadline | Woken::Gone(_)) | Err(_) => break,
        }
    }
    dump.begun.then(|| String::from_utf8_lossy(&dump.bytes).into_owned())
}

#[derive(Default)]
struct Dump {
    bytes: Vec<u8>,
    begun: bool,
    complete: bool,
}

impl Listener for Dump {
    fn event(&mut self, _: Event) -> Result<(), ExecError> {
        Ok(())
    }

    fn output(&mut self, stream: Stream, bytes: &[u8]) {
        if stream != Stream::Stdout || self.complete {
            return;
        }
        self.bytes.extend_from_slice(bytes);
        if !self.begun {
            match find(&self.bytes, BEGIN) {
                Some(at) => {
                    self.begun = true;
                    self.bytes.drain(..at);
                }
                None => {
                    // The test's own output; its end may be our beginning.
                    let old = self.bytes.len().saturating_sub(BEGIN.len());
                    self.bytes.drain(..old);
                }
            }
        }
        if self.begun {
            let end = find(&self.bytes, END);
            self.complete = end.is_some() || self.bytes.len() > LONGEST;
            self.bytes.truncate(end.unwrap_or(LONGEST));
        }
    }
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dump_is_found_in_the_middle_of_other_output() {
        let text = b"noise\n2026-01-01\nFull thread dump X\n\"main\" at a.T.m\n\nHeap\n g1";
        for size in 1..text.len() {
            let mut dump = Dump::default();
            text.chunks(size).for_each(|piece| dump.output(Stream::Stdout, piece));
            assert!(dump.complete);
            assert_eq!(dump.bytes, b"Full thread dump X\n\"main\" at a.T.m\n");
        }
    }
}
