//! Runner to host.

use std::time::Duration;

use residue_model::{Failure, FieldContent, FixturePhase, Frame, Framework};

use crate::bytes::{Malformed, Reader};
use crate::command::framework_of_byte;
use crate::stand_in::content;

/// What the runner reports. `index` is a position in the order of the `Run`
/// command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// First event: which JVM this is.
    Hello {
        /// `java.version`.
        java_version: String,
        /// `java.vm.name`.
        vm_name: String,
    },
    /// Configured and waiting for its one `List` or `Run`.
    Ready,
    /// A runnable test, in default order.
    Listed {
        /// Its name.
        id: String,
        /// Which adapter listed it.
        framework: Framework,
        /// What the adapter needs to find it again.
        locator: String,
    },
    /// A selected class that could not be asked for its tests.
    Unlistable {
        /// Binary class name.
        class: String,
        /// What it threw.
        failure: Failure,
    },
    /// A test begins; its set-up methods have not run yet.
    Begin {
        /// Which.
        index: u32,
    },
    /// A test has ended, its tear-down methods included.
    End {
        /// Which.
        index: u32,
        /// How.
        end: TestEnd,
        /// By the JVM's clock, from begin to end.
        duration: Duration,
    },
    /// A test ran that the order does not name.
    Unrequested {
        /// Its name.
        id: String,
        /// How it ended.
        end: TestEnd,
    },
    /// A class fixture failed. For `BeforeClass` the tests it kept from
    /// running are reported as ended too.
    FixtureFailed {
        /// The class.
        class: String,
        /// When.
        phase: FixturePhase,
        /// What was thrown.
        failure: Failure,
    },
    /// A non-daemon thread that started during a test still runs at the end.
    ThreadLeft {
        /// The test.
        index: u32,
        /// Thread name.
        name: String,
    },
    /// The JVM is shutting down before the order is done.
    Exiting {
        /// Stack of the thread that called `System.exit`, if seen.
        caller: Vec<Frame>,
    },
    /// All that was asked is done; the JVM exits next.
    Done,
    /// The runner itself failed: a bug or an unsupported framework version.
    RunnerFailed {
        /// What it was doing.
        activity: String,
        /// What was thrown.
        failure: Failure,
    },
    /// A value could not be put into its field.
    StandInRefused {
        /// Position in the `Run` command.
        put: u32,
        /// Why.
        reason: String,
    },
    /// What a place held could not be noted, or not be put back.
    NotPutBack {
        /// Position in the `Run` command.
        path: u32,
        /// Why.
        reason: String,
    },
    /// A test is over and has left this in a field.
    FieldLeft {
        /// Position in the `Run` command.
        watched: u32,
        /// What.
        content: FieldContent,
    },
}

/// How a test ended, as the runner can tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TestEnd {
    /// It passed.
    Passed,
    /// An assertion failed.
    Failed(Failure),
    /// Something else was thrown.
    Errored(Failure),
    /// It was not run, with the framework's reason.
    Skipped(Option<String>),
    /// The framework never ran it although it was asked to: for example an
    /// invocation index that a parameterised test no longer has.
    NotRun,
}

impl Event {
    pub(crate) fn decode(kind: u8, payload: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader::new(payload);
        let event = Self::read(kind, &mut reader)?;
        reader.finish()?;
        Ok(event)
    }

    fn read(kind: u8, from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(match kind {
            1 => Self::Hello { java_version: from.text()?, vm_name: from.text()? },
            2 => Self::Ready,
            3 => Self::Listed {
                framework: framework_of_byte(from.u8()?).ok_or(Malformed("unknown framework"))?,
                id: from.text()?,
                locator: from.text()?,
            },
            4 => Self::Unlistable { class: from.text()?, failure: failure(from)? },
            5 => Self::Begin { index: from.u32()? },
            6 => Self::End {
                index: from.u32()?,
                duration: Duration::from_nanos(from.u64()?),
                end: test_end(from)?,
            },
            7 => Self::Unrequested { id: from.text()?, end: test_end(from)? },
            8 => Self::FixtureFailed {
                class: from.text()?,
                phase: match from.u8()? {
                    0 => FixturePhase::BeforeClass,
                    1 => FixturePhase::AfterClass,
                    _ => return Err(Malformed("unknown fixture phase")),
                },
                failure: failure(from)?,
            },
            9 => Self::ThreadLeft { index: from.u32()?, name: from.text()? },
            10 => Self::Exiting { caller: from.list(frame)? },
            11 => Self::Done,
            12 => Self::RunnerFailed { activity: from.text()?, failure: failure(from)? },
            13 => Self::StandInRefused { put: from.u32()?, reason: from.text()? },
            14 => Self::FieldLeft { watched: from.u32()?, content: content(from)? },
            15 => Self::NotPutBack { path: from.u32()?, reason: from.text()? },
            _ => return Err(Malformed("unknown event kind")),
        })
    }
}

fn test_end(from: &mut Reader<'_>) -> Result<TestEnd, Malformed> {
    Ok(match from.u8()? {
        0 => TestEnd::Passed,
        1 => TestEnd::Failed(failure(from)?),
        2 => TestEnd::Errored(failure(from)?),
        3 => TestEnd::Skipped(from.optional(Reader::text)?),
        4 => TestEnd::NotRun,
        _ => return Err(Malformed("unknown test end")),
    })
}

/// A throwable and its causes, outermost first.
fn failure(from: &mut Reader<'_>) -> Result<Failure, Malformed> {
    let chain = from.list(|from| {
        Ok(Failure {
            exception: from.text()?,
            message: from.optional(Reader::text)?,
            frames: from.list(frame)?,
            cause: None,
        })
    })?;
    chain
        .into_iter()
        .rev()
        .reduce(|cause, outer| Failure { cause: Some(Box::new(cause)), ..outer })
        .ok_or(Malformed("a failure without a throwable"))
}

fn frame(from: &mut Reader<'_>) -> Result<Frame, Malformed> {
    Ok(Frame {
        class: from.text()?,
        method: from.text()?,
        file: from.optional(Reader::text)?,
        line: from.optional(Reader::i32)?,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::bytes::Put;
    use crate::frames::{FrameDecoder, PREAMBLE, put_frame};

    fn put_failure(out: &mut Vec<u8>, exceptions: &[&str]) {
        out.put_list(exceptions, |out, exception| {
            out.put_text(exception);
            out.put_optional_text(Some("boom"));
            out.put_u32(1);
            out.put_text("a.T");
            out.put_text("m");
            out.put_optional_text(None);
            out.put_u8(0);
        });
    }

    #[test]
    fn a_failure_keeps_its_chain_of_causes() {
        let mut stream = PREAMBLE.to_vec();
        put_frame(&mut stream, 6, |out| {
            out.put_u32(3);
            out.extend_from_slice(&1_500_u64.to_be_bytes());
            out.put_u8(2);
            put_failure(out, &["Outer", "Middle", "Root"]);
        });
        let mut decoder = FrameDecoder::new();
        decoder.push(&stream);
        let Ok(Some(Event::End { index: 3, end: TestEnd::Errored(outer), duration })) =
            decoder.next_event()
        else {
            panic!("not the event that was sent");
        };
        assert_eq!(duration, Duration::from_nanos(1_500));
        let middle = outer.cause.unwrap();
        assert_eq!((outer.exception.as_str(), middle.exception.as_str()), ("Outer", "Middle"));
        assert_eq!(middle.cause.unwrap().exception, "Root");
    }

    proptest! {
        #[test]
        fn events_arrive_whole_however_the_stream_is_cut(cuts in prop::collection::vec(1_usize..9, 1..40)) {
            let mut stream = PREAMBLE.to_vec();
            put_frame(&mut stream, 2, |_| {});
            for index in 0..5 {
                put_frame(&mut stream, 5, |out| out.put_u32(index));
            }
            let mut decoder = FrameDecoder::new();
            let mut events = Vec::new();
            let mut rest = stream.as_slice();
            for cut in cuts.iter().cycle() {
                let (now, later) = rest.split_at((*cut).min(rest.len()));
                decoder.push(now);
                while let Some(event) = decoder.next_event().unwrap() {
                    events.push(event);
                }
                rest = later;
                if rest.is_empty() {
                    break;
                }
            }
            let expected: Vec<_> = std::iter::once(Event::Ready)
                .chain((0..5).map(|index| Event::Begin { index }))
                .collect();
            prop_assert_eq!(events, expected);
        }

        #[test]
        fn malformed_bytes_are_an_error_and_never_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            for kind in 0..=15 {
                let _ = Event::decode(kind, &bytes);
            }
            let mut decoder = FrameDecoder::new();
            decoder.push(&PREAMBLE);
            decoder.push(&bytes);
            while let Ok(Some(_)) = decoder.next_event() {}
        }
    }
}
