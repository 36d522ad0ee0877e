//! `residue runs`

use residue_report::{StoredRun, runs_text};
use residue_store::{RunFilter, RunSummary};

use crate::args::RunsArgs;
use crate::error::CliError;
use crate::exit_code::ExitCode;
use crate::printer::Printer;
use crate::workbench::open_store;

pub fn runs(args: &RunsArgs, printer: &mut Printer) -> Result<ExitCode, CliError> {
    let store = open_store(&args.project)?;
    let all = store.runs(&RunFilter::default())?;
    let count = all.len();
    let newest_first = all.into_iter().rev().take(args.newest as usize).map(stored_run);
    printer.data(&runs_text(&newest_first.collect::<Vec<_>>(), count));
    Ok(ExitCode::Clean)
}

fn stored_run(summary: RunSummary) -> StoredRun {
    StoredRun {
        id: summary.id.to_string(),
        suite: summary.suite_name,
        started: local_time(summary.started_at),
        duration: summary.duration,
        counts: summary.counts.iter().map(|(kind, count)| (kind, count as usize)).collect(),
    }
}

fn local_time(millis: u64) -> String {
    let since_epoch = i64::try_from(millis).ok();
    let instant = since_epoch.and_then(|millis| jiff::Timestamp::from_millisecond(millis).ok());
    let zoned = instant.map(|instant| instant.to_zoned(jiff::tz::TimeZone::system()));
    zoned.map_or_else(String::new, |time| time.strftime("%Y-%m-%d %H:%M:%S").to_string())
}
