//! Asks a fresh JVM for the tests of a suite.

use std::time::Instant;

use residue_model::{Suite, SuiteSpec, TestCase, TestId, Unlistable};
use residue_wire::{Command, Event, Malformed};

use super::durations::Length;
use super::jvm::{Listener, Woken};
use super::launcher::{Launcher, Sharing};
use super::options::LocalOptions;
use super::output::{Kept, Stream};
use super::thread_dump;
use crate::ExecError;

/// What the suite wrote while it was listed is kept for error messages only.
const KEPT_OUTPUT: usize = 64 << 10;

/// Lists the tests of a suite in the order in which the build would run them.
pub fn list(suite: &SuiteSpec, options: &LocalOptions) -> Result<Suite, ExecError> {
    let launcher = Launcher::for_listing(suite, options)?;
    let interrupts: Vec<_> = options.interrupt.iter().collect();
    let mut started = launcher.start(Length::Short, Sharing::AsOffered)?;
    started.get_ready(options, &interrupts)?;
    let mut bytes = Vec::new();
    let selection = &suite.selection;
    let files = selection.testng_suites.iter();
    Command::List {
        classes: selection.classes.clone(),
        testng_suites: files.map(|file| file.to_string_lossy().into_owned()).collect(),
    }
    .encode(&mut bytes);
    started.jvm.send(bytes)?;
    let deadline = Instant::now() + options.list_limit;
    let mut listing = Listing::default();
    while !listing.done {
        if Instant::now() >= deadline {
            let dump = thread_dump::take(&mut started.jvm).unwrap_or_default();
            let output = format!("{}\n{dump}", listing.said.into_text());
            return Err(ExecError::ListingTimedOut { after: options.list_limit, output });
        }
        let woken = started.jvm.attend(Some(deadline), &interrupts, &mut listing)?;
        if let Woken::Gone(status) = woken
            && !listing.done
        {
            let output = listing.said.into_text();
            return Err(ExecError::ListingDied { ending: status.to_string(), output });
        }
    }
    Ok(listing.suite)
}

#[derive(Default)]
struct Listing {
    suite: Suite,
    said: Kept,
    done: bool,
}

impl Listener for Listing {
    fn event(&mut self, event: Event) -> Result<(), ExecError> {
        match event {
            Event::Listed { id, framework, locator } => {
                self.suite.tests.push(TestCase { id: TestId::parse(&id)?, framework, locator });
            }
            Event::Unlistable { class, failure } => {
                self.suite.unlistable.push(Unlistable { class, failure });
            }
            Event::Done => self.done = true,
            // The end of the JVM follows and tells the same.
            Event::Exiting { .. } => {}
            Event::RunnerFailed { activity, failure } => {
                return Err(ExecError::RunnerFailed { activity, failure });
            }
            _ => return Err(Malformed("an event that does not belong to a listing").into()),
        }
        Ok(())
    }

    fn output(&mut self, _: Stream, bytes: &[u8]) {
        let mut unlimited = usize::MAX;
        self.said.push(bytes, KEPT_OUTPUT, &mut unlimited);
    }
}
