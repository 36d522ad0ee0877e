//! Whose output is whose.
//!
//! The runner writes a mark into each stream where a test begins and ends.
//! Marks are taken out; what lies between belongs to the test. What lies
//! outside belongs to the test that begins next (its class fixture wrote it),
//! and at the end of the stream to the test that is named then.

use std::collections::BTreeMap;

use residue_model::CapturedOutput;

/// Begins every mark.
const MARK_START: u8 = 0x1e;
/// A position in an order has at most so many digits.
const LONGEST_INDEX: usize = 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stream {
    Stdout,
    Stderr,
}

/// The output of one run, cut at limits however much comes.
#[derive(Debug)]
pub(super) struct OutputCapture {
    per_test: usize,
    left_for_run: usize,
    stdout: Splitter,
    stderr: Splitter,
}

impl OutputCapture {
    pub(super) fn new(mark: &str, per_test: usize, per_run: usize) -> Self {
        let splitter = || Splitter::new(mark);
        Self { per_test, left_for_run: per_run, stdout: splitter(), stderr: splitter() }
    }

    pub(super) fn push(&mut self, stream: Stream, bytes: &[u8]) {
        let splitter = match stream {
            Stream::Stdout => &mut self.stdout,
            Stream::Stderr => &mut self.stderr,
        };
        splitter.push(bytes, self.per_test, &mut self.left_for_run);
    }

    /// The output of each test that wrote anything; what came after the last
    /// mark is given to `rest`.
    pub(super) fn finish(mut self, rest: usize) -> BTreeMap<usize, CapturedOutput> {
        self.stdout.close(rest, self.per_test, &mut self.left_for_run);
        self.stderr.close(rest, self.per_test, &mut self.left_for_run);
        let mut all: BTreeMap<usize, CapturedOutput> = BTreeMap::new();
        for (index, kept) in self.stdout.tests {
            let output = all.entry(index).or_default();
            output.dropped += kept.dropped;
            output.stdout = kept.into_text();
        }
        for (index, kept) in self.stderr.tests {
            let output = all.entry(index).or_default();
            output.dropped += kept.dropped;
            output.stderr = kept.into_text();
        }
        all
    }
}

/// The beginning of what was written.
#[derive(Debug, Default)]
pub(super) struct Kept {
    bytes: Vec<u8>,
    dropped: u64,
}

impl Kept {
    pub(super) fn push(&mut self, bytes: &[u8], limit: usize, left_for_run: &mut usize) {
        let room = limit.saturating_sub(self.bytes.len()).min(*left_for_run);
        let (kept, dropped) = bytes.split_at(room.min(bytes.len()));
        self.bytes.extend_from_slice(kept);
        *left_for_run -= kept.len();
        self.dropped += dropped.len() as u64;
    }

    /// Lossy where it is not UTF-8, but a character cut by the limit is left
    /// out rather than shown as damaged.
    pub(super) fn into_text(mut self) -> String {
        if self.dropped > 0 {
            let whole = self.bytes.utf8_chunks().last().map_or(0, |chunk| {
                let broken = chunk.invalid().len();
                let unfinished = broken > 0
                    && std::str::from_utf8(chunk.invalid())
                        .is_err_and(|error| error.error_len().is_none());
                if unfinished { broken } else { 0 }
            });
            self.bytes.truncate(self.bytes.len() - whole);
        }
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

/// Takes the marks out of one stream.
#[derive(Debug)]
struct Splitter {
    /// What follows [`MARK_START`] in every mark.
    mark: Vec<u8>,
    /// The start of what may be a mark once more bytes arrive.
    held: Vec<u8>,
    current: Option<usize>,
    /// Written since the last test ended.
    between: Kept,
    tests: BTreeMap<usize, Kept>,
}

/// What stands at the start of some bytes.
enum Found {
    Mark { length: usize, index: usize, begins: bool },
    PerhapsMark,
    NoMark,
}

impl Splitter {
    fn new(mark: &str) -> Self {
        Self {
            mark: format!("{mark}:").into_bytes(),
            held: Vec::new(),
            current: None,
            between: Kept::default(),
            tests: BTreeMap::new(),
        }
    }

    fn push(&mut self, bytes: &[u8], limit: usize, left_for_run: &mut usize) {
        if self.held.is_empty() {
            self.split(bytes, limit, left_for_run);
        } else {
            let mut joined = std::mem::take(&mut self.held);
            joined.extend_from_slice(bytes);
            self.split(&joined, limit, left_for_run);
        }
    }

    fn split(&mut self, bytes: &[u8], limit: usize, left_for_run: &mut usize) {
        let mut start = 0;
        let mut from = 0;
        while let Some(at) = bytes[from..].iter().position(|&byte| byte == MARK_START) {
            let at = from + at;
            match self.mark_at(&bytes[at..]) {
                Found::NoMark => from = at + 1,
                Found::PerhapsMark => {
                    self.keep(&bytes[start..at], limit, left_for_run);
                    self.held = bytes[at..].to_vec();
                    return;
                }
                Found::Mark { length, index, begins } => {
                    self.keep(&bytes[start..at], limit, left_for_run);
                    self.turn(index, begins);
                    start = at + length;
                    from = start;
                }
            }
        }
        self.keep(&bytes[start..], limit, left_for_run);
    }

    fn mark_at(&self, bytes: &[u8]) -> Found {
        let after_start = &bytes[1..];
        let Some(rest) = after_start.strip_prefix(self.mark.as_slice()) else {
            let unfinished = self.mark.starts_with(after_start);
            return if unfinished { Found::PerhapsMark } else { Found::NoMark };
        };
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let index = std::str::from_utf8(&rest[..digits]).ok().and_then(|text| text.parse().ok());
        match (index, &rest[digits..]) {
            (Some(index), [kind @ (b'b' | b'e'), b'\n', ..]) => {
                let length = 1 + self.mark.len() + digits + 2;
                Found::Mark { length, index, begins: *kind == b'b' }
            }
            (_, [] | [b'b' | b'e']) if digits <= LONGEST_INDEX => Found::PerhapsMark,
            _ => Found::NoMark,
        }
    }

    fn turn(&mut self, index: usize, begins: bool) {
        self.current = begins.then_some(index);
        if begins {
            let fixture = std::mem::take(&mut self.between);
            if !fixture.bytes.is_empty() || fixture.dropped > 0 {
                self.tests.insert(index, fixture);
            }
        }
    }

    fn keep(&mut self, bytes: &[u8], limit: usize, left_for_run: &mut usize) {
        if bytes.is_empty() {
            return;
        }
        let kept = match self.current {
            Some(index) => self.tests.entry(index).or_default(),
            None => &mut self.between,
        };
        kept.push(bytes, limit, left_for_run);
    }

    fn close(&mut self, rest: usize, limit: usize, left_for_run: &mut usize) {
        let held = std::mem::take(&mut self.held);
        self.keep(&held, limit, left_for_run);
        let between = std::mem::take(&mut self.between);
        if between.bytes.is_empty() && between.dropped == 0 {
            return;
        }
        let last = self.tests.entry(rest).or_default();
        // Already counted against the run when it came.
        let mut counted = between.bytes.len();
        last.push(&between.bytes, limit, &mut counted);
        last.dropped += between.dropped;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn capture(pieces: &[&[u8]], rest: usize) -> BTreeMap<usize, CapturedOutput> {
        let mut capture = OutputCapture::new("MARK", 10, 25);
        for piece in pieces {
            capture.push(Stream::Stdout, piece);
        }
        capture.finish(rest)
    }

    #[test]
    fn marks_are_found_however_the_stream_is_cut() {
        let stream = b"fix\x1eMARK:0b\none\x1eMARK:0e\n\x1eMARK:1b\ntwo\x1e\x1eMARK:1e\nend";
        for size in 1..stream.len() {
            let pieces: Vec<&[u8]> = stream.chunks(size).collect();
            let output = capture(&pieces, 1);
            assert_eq!(output[&0].stdout, "fixone", "in pieces of {size}");
            assert_eq!(output[&1].stdout, "two\x1eend", "in pieces of {size}");
        }
    }

    #[test]
    fn what_only_looks_like_a_mark_is_output() {
        let output = capture(&[b"\x1eMARK:0b\n\x1eMARK:x\x1eM", b"\x1eMA"], 0);
        assert_eq!(output[&0].stdout, "\x1eMARK:x\x1eM\x1e");
        assert_eq!(output[&0].dropped, 2);
    }

    #[test]
    fn limits_hold_for_the_test_and_for_the_run() {
        let flood = [b'x'; 100];
        let output = capture(
            &[
                b"\x1eMARK:0b\n",
                &flood,
                b"\x1eMARK:0e\n\x1eMARK:1b\n",
                &flood,
                b"\x1eMARK:1e\n\x1eMARK:2b\n",
                &flood,
            ],
            2,
        );
        let lengths: Vec<_> = output.values().map(|o| (o.stdout.len(), o.dropped)).collect();
        assert_eq!(lengths, [(10, 90), (10, 90), (5, 95)]);
    }

    #[test]
    fn a_character_cut_by_the_limit_is_left_out() {
        let output = capture(&["\x1eMARK:0b\n123456789ü".as_bytes()], 0);
        assert_eq!((output[&0].stdout.as_str(), output[&0].dropped), ("123456789", 1));
        let output = capture(&[b"\x1eMARK:0b\n\xff!"], 0);
        assert_eq!(output[&0].stdout, "\u{fffd}!");
    }
}
