//! A schedule as text: how fast, what limits it, and who runs when.

use std::time::Duration;

use residue_schedule::{Lane, Slot};

use crate::called_with::quoted;
use crate::run_text::in_suite;
use crate::schedule_report::{
    Respected, ScheduleReport, ScheduleRow, duplicates_of, named_lanes, speed_up,
};
use crate::speculation_report::{SpeculationPlan, obstacle_text};
use crate::style::{DIM, GOOD, HEADING, NAME, WARN, paint};
use crate::units::{count, dependencies, duration, grouped};

/// Columns of the picture.
const WIDTH: usize = 60;
/// Lanes that are shown; the files have the rest.
const SHOWN_LANES: usize = 16;
/// Tests of the longest way that are named.
const SHOWN_TESTS: usize = 3;

/// What the schedules of a suite come to.
pub fn schedule_text(report: &ScheduleReport<'_>) -> String {
    let mut text = headline(report);
    text += &table(&report.rows);
    text += &gantt(report);
    text += &limit(report);
    text += &report.speculation.as_ref().map(obstacles).unwrap_or_default();
    text += &remarks(report);
    text
}

fn headline(report: &ScheduleReport<'_>) -> String {
    let (makespan, serial) = (report.schedule.makespan(), report.bounds.serial);
    let verdict = format!(
        "{} on {}, {:.1} times as fast",
        duration(makespan),
        count(report.schedule.workers.len(), "worker"),
        speed_up(serial, makespan)
    );
    let again = match report.schedule.duplicates() {
        0 => "nothing runs twice".to_owned(),
        1 => "1 execution is a duplicate".to_owned(),
        many => format!("{} executions are duplicates", grouped(many)),
    };
    format!(
        "{}: {}{}, {} one after the other\n  {}; {again}\n  {}\n{}",
        paint(HEADING, "schedule"),
        in_suite(report.suite),
        count(report.tests.len(), "test"),
        duration(serial),
        paint(GOOD, verdict),
        kept(report),
        report.speculation.as_ref().map(|plan| speculation(plan, serial)).unwrap_or_default(),
    )
}

fn speculation(plan: &SpeculationPlan, serial: Duration) -> String {
    let all = dependencies(plan.dependencies());
    let simple = format!("{} of {all} can be met by values", grouped(plan.simple));
    let verdict = match (plan.simple, plan.met) {
        (0, _) => simple,
        (_, 0) => format!("{simple}, but that makes it no shorter"),
        (_, met) => format!(
            "{} met by values, {:.1} times as fast without; {simple}",
            dependencies(met),
            speed_up(serial, plan.without),
        ),
    };
    format!("  {verdict}\n")
}

fn kept(report: &ScheduleReport<'_>) -> String {
    let ScheduleReport { traced, timed, .. } = report;
    let units = match report.granularity {
        "class" => "whole classes",
        _ => "single tests",
    };
    let from = |findings: usize| match findings {
        0 => "no finding binds a test".to_owned(),
        _ => format!("{} binding tests", count(findings, "finding")),
    };
    let kept = match report.respected {
        Respected::All { findings: 0 } => format!("all dependencies of run {traced}"),
        Respected::All { findings } => {
            format!("all dependencies of run {traced} and {}", from(findings))
        }
        Respected::Manifest { findings } => {
            format!("only dependencies shown to change an outcome: {}", from(findings))
        }
        Respected::Nothing => "no dependency".into(),
    };
    format!("{units}, keeps {kept}; durations of run {timed}")
}

fn table(rows: &[ScheduleRow]) -> String {
    let speculates = rows.iter().any(|row| row.speculative.is_some());
    let mut titles = vec!["naive", "greedy", "ours", "bound", "unsound"];
    if speculates {
        titles.insert(3, "values");
    }
    let titles: String = titles.iter().map(|title| format!("{title:>9}")).collect();
    let mut text = format!("\n{}\n", paint(HEADING, format!("   {:<9}{titles}", "workers")));
    for row in rows {
        let mut times = vec![row.naive, row.greedy, row.ours];
        times.extend(row.speculative);
        times.extend([row.bounds.lower, row.bounds.unsound]);
        let cell = |time: &Duration| format!("{:>8.1}x", speed_up(row.bounds.serial, *time));
        text += &format!("   {:<9}{}\n", row.workers, times.iter().map(cell).collect::<String>());
    }
    let legend = if speculates {
        "values: with values in place of tests; bound: no schedule without them is faster"
    } else {
        "bound: no sound schedule is faster; unsound: without regard to dependencies"
    };
    text + &format!("   {}\n", paint(DIM, legend))
}

fn gantt(report: &ScheduleReport<'_>) -> String {
    let makespan = report.schedule.makespan();
    let lanes: Vec<_> = named_lanes(report.schedule).collect();
    let mut text = String::from("\n");
    for (name, lane) in lanes.iter().take(SHOWN_LANES) {
        let again = match duplicates_of(lane) {
            0 => String::new(),
            many => format!(", {} again", grouped(many)),
        };
        let picture = picture(lane, makespan);
        let tests = count(lane.slots.len(), "test");
        text += &format!("   {name:<10} {picture}  {:>8}  {tests}{again}\n", duration(lane.end()));
    }
    let hidden = lanes.len().saturating_sub(SHOWN_LANES);
    if hidden > 0 {
        text += &format!("   and {} more, see --svg or --json\n", count(hidden, "worker"));
    }
    if report.schedule.duplicates() > 0 {
        text +=
            &format!("   {}\n", paint(DIM, "█ tests, ░ tests that run again for what they leave"));
    }
    text
}

/// A lane as a line of blocks: what takes most of a column's time fills it.
fn picture(lane: &Lane, makespan: Duration) -> String {
    let column = makespan.as_secs_f64() / WIDTH as f64;
    let share = |slots: &[Slot], at: usize, duplicate: bool| -> f64 {
        let (from, to) = (at as f64 * column, (at + 1) as f64 * column);
        let inside = slots.iter().filter(|slot| slot.duplicate == duplicate);
        inside
            .map(|slot| {
                (slot.end.as_secs_f64().min(to) - slot.start.as_secs_f64().max(from)).max(0.0)
            })
            .sum()
    };
    let cell = |at: usize| {
        let (tests, again) = (share(&lane.slots, at, false), share(&lane.slots, at, true));
        match () {
            () if tests + again < column / 2.0 => ' ',
            () if tests >= again => '█',
            () => '░',
        }
    };
    (0..WIDTH).map(cell).collect()
}

/// What one worker must run, where that limits the largest schedule.
fn limit(report: &ScheduleReport<'_>) -> String {
    let Some((last, needed)) = report.longest_way.split_last() else { return String::new() };
    let limits = |row: &ScheduleRow| row.bounds.longest_way >= row.bounds.lower;
    if !report.rows.last().is_some_and(limits) {
        return String::new();
    }
    let took = duration(report.bounds.longest_way);
    let title = match needed.len() {
        0 => format!("what limits it: one test takes {took}"),
        _ => format!(
            "what limits it: {} that need each other take {took}",
            count(needed.len() + 1, "test")
        ),
    };
    let mut text =
        format!("\n{}\n   {}\n", paint(HEADING, title), paint(NAME, &report.tests[*last]));
    for test in needed.iter().rev().take(SHOWN_TESTS) {
        text += &format!("   after {}\n", paint(NAME, &report.tests[*test]));
    }
    if needed.len() > SHOWN_TESTS {
        let more = grouped(needed.len() - SHOWN_TESTS);
        let test = quoted(report.tests[*last].as_str());
        let command = report.called_with.looking(&format!("deps {test}"));
        text += &format!("   and {more} more: {}\n", paint(NAME, command));
    }
    text
}

fn obstacles(plan: &SpeculationPlan) -> String {
    if plan.obstacles.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{}\n", paint(HEADING, "dependencies that no value can meet"));
    for (why, many) in &plan.obstacles {
        text += &format!("   {:>7}  {}\n", grouped(*many), obstacle_text(*why));
    }
    text
}

fn remarks(report: &ScheduleReport<'_>) -> String {
    let mut remarks = vec![format!(
        "durations are of tests only: starting and ending a JVM takes {} more for each worker",
        duration(report.overhead)
    )];
    match report.respected {
        Respected::All { .. } => {}
        Respected::Manifest { findings } => {
            if findings == 0 {
                remarks.push("`residue detect` looks for findings".into());
            }
            if report.unsettled > 0 {
                let tests = count(report.unsettled, "test");
                let see = if report.unsettled == 1 { "sees" } else { "see" };
                let note = "no finding says that it matters, and `residue test` checks";
                remarks
                    .push(format!("{tests} {see} another state than in reference order: {note}"));
            }
        }
        Respected::Nothing => {
            let tests = count(report.unsettled, "test");
            remarks.push(format!("unsound: {tests} may see another state than in reference order"));
        }
    }
    let lines = remarks.iter().map(|remark| format!("  {} {remark}\n", paint(WARN, "note:")));
    format!("\n{}", lines.collect::<String>())
}
