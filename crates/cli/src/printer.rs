//! The one place that writes to the terminal.
//!
//! Data goes to standard output, everything else to standard error. Colour
//! follows the stream, `NO_COLOR` and `CLICOLOR_FORCE`; a progress bar shows
//! only on a terminal, elsewhere progress is a plain line now and then.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use anstream::AutoStream;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use residue_report::{BAD, WARN, count, paint};

use crate::pace::pace;

/// How often a plain progress line is written where there is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Writes to the user.
pub struct Printer {
    progress: Option<Progress>,
}

impl Printer {
    /// A printer for this process's streams.
    pub fn new() -> Self {
        Self { progress: None }
    }

    /// The answer: goes to standard output. A reader that went away, as in
    /// `residue list | head`, is no error.
    pub fn data(&mut self, text: &str) {
        self.end_progress();
        let mut out = AutoStream::auto(io::stdout()).lock();
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }

    /// What the program is doing.
    pub fn status(&mut self, text: &str) {
        self.line(&format!("{text}\n"));
    }

    /// Something the user should know but that stops nothing.
    pub fn warn(&mut self, text: &str) {
        self.line(&format!("{} {text}\n", paint(WARN, "warning:")));
    }

    /// Why the program ends.
    pub fn error(&mut self, text: &str) {
        self.end_progress();
        self.line(&format!("{} {text}\n", paint(BAD, "error:")));
    }

    /// Starts to show the progress of running tests.
    pub fn begin_progress(&mut self, label: &str, tests: usize) {
        self.end_progress();
        self.progress = Some(if io::stderr().is_terminal() {
            Progress::Bar(bar(label, tests))
        } else {
            Progress::Lines(Lines::new(label, tests))
        });
    }

    /// One more test has ended.
    pub fn test_ended(&mut self) {
        let line = match &mut self.progress {
            Some(Progress::Bar(bar)) => {
                bar.inc(1);
                None
            }
            Some(Progress::Lines(lines)) => lines.test_ended(),
            None => None,
        };
        if let Some(line) = line {
            self.status(&line);
        }
    }

    /// Starts to show what is going on where its end is not known.
    pub fn begin_activity(&mut self) {
        self.end_progress();
        self.progress = Some(if io::stderr().is_terminal() {
            let spinner =
                ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
            if let Ok(style) = ProgressStyle::with_template("  {spinner:.cyan} {wide_msg}") {
                spinner.set_style(style);
            }
            Progress::Bar(spinner)
        } else {
            Progress::Lines(Lines::new("", 0))
        });
    }

    /// What is going on now.
    pub fn activity(&mut self, text: &str) {
        let line = match &mut self.progress {
            Some(Progress::Bar(bar)) => {
                bar.set_message(text.to_owned());
                None
            }
            Some(Progress::Lines(lines)) => lines.is_due().then(|| format!("  {text}")),
            None => None,
        };
        if let Some(line) = line {
            self.status(&line);
        }
    }

    /// Something happened, so the display lives.
    pub fn tick(&mut self) {
        if let Some(Progress::Bar(bar)) = &self.progress {
            bar.tick();
        }
    }

    /// Nothing is running any more.
    pub fn end_progress(&mut self) {
        if let Some(Progress::Bar(bar)) = self.progress.take() {
            bar.finish_and_clear();
        }
    }

    fn line(&mut self, text: &str) {
        let write = || {
            let mut err = AutoStream::auto(io::stderr()).lock();
            let _ = err.write_all(text.as_bytes());
        };
        match &self.progress {
            Some(Progress::Bar(bar)) => bar.suspend(write),
            _ => write(),
        }
    }
}

enum Progress {
    Bar(ProgressBar),
    Lines(Lines),
}

fn bar(label: &str, tests: usize) -> ProgressBar {
    let target = ProgressDrawTarget::stderr_with_hz(10);
    let bar = ProgressBar::with_draw_target(Some(tests as u64), target);
    let template = "  {msg} {bar:30.cyan/dim} {human_pos}/{human_len} tests{pace}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        let style = style.with_key("pace", |state: &ProgressState, out: &mut dyn fmt::Write| {
            // There is nobody to tell that it cannot be shown.
            let _ = out.write_str(&pace(state.per_sec(), state.eta()));
        });
        bar.set_style(style.progress_chars("━╸─"));
    }
    bar.set_message(label.to_owned());
    bar
}

/// Progress for logs: a line at intervals, none for what is over quickly.
struct Lines {
    label: String,
    tests: usize,
    done: usize,
    started: Instant,
    shown: Instant,
}

impl Lines {
    fn new(label: &str, tests: usize) -> Self {
        let now = Instant::now();
        Self { label: label.into(), tests, done: 0, started: now, shown: now }
    }

    /// Whether it is time for another line, which counts as written then.
    fn is_due(&mut self) -> bool {
        let due = self.shown.elapsed() >= LINE_INTERVAL;
        if due {
            self.shown = Instant::now();
        }
        due
    }

    fn test_ended(&mut self) -> Option<String> {
        self.done += 1;
        if !self.is_due() {
            return None;
        }
        let rate = self.done as f64 / self.started.elapsed().as_secs_f64();
        let left = self.tests.saturating_sub(self.done) as f64 / rate;
        let pace = pace(rate, Duration::try_from_secs_f64(left).unwrap_or_default());
        let Self { label, done, tests, .. } = self;
        Some(format!("  {label}: {done} of {}{pace}", count(*tests, "test")))
    }
}
