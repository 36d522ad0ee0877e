//! A schedule as a picture: a line for each worker, a box for each test.

use std::time::Duration;

use residue_model::TestId;
use residue_schedule::{Lane, Schedule, Slot};

use crate::schedule_report::{ScheduleReport, named_lanes, speed_up};
use crate::units::{count, duration};
use crate::xml::escaped;

const WIDTH: f64 = 1000.0;
const NAMES: f64 = 90.0;
const LINE: f64 = 24.0;
const TOP: f64 = 46.0;
/// Narrower boxes of one class are drawn as one.
const NARROW: f64 = 1.0;

const STYLE: &str = "text{font:12px sans-serif;fill:#333}.title{font-weight:bold}\
    rect{stroke:#fff;stroke-width:.5}.own{fill:#4a7fb5}.odd{fill:#6fa0d0}.again{fill:#d9a441}\
    .tick{stroke:#ccc;stroke-width:.5}";

/// The schedules of a project below each other.
pub fn schedule_svg(reports: &[ScheduleReport<'_>]) -> String {
    let mut top = 0.0;
    let mut body = String::new();
    for report in reports {
        let (picture, height) = drawn(report);
        body += &format!("<g transform=\"translate(0,{top:.0})\">\n{picture}</g>\n");
        top += height;
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0}\" height=\"{top:.0}\" \
         viewBox=\"0 0 {:.0} {top:.0}\">\n<style>{STYLE}</style>\n{body}</svg>\n",
        WIDTH, WIDTH
    )
}

fn drawn(report: &ScheduleReport<'_>) -> (String, f64) {
    let makespan = report.schedule.makespan();
    let scale = (WIDTH - NAMES - 10.0) / makespan.as_secs_f64().max(1e-9);
    let title = format!(
        "{}: {} on {}, {} instead of {} ({:.1} times as fast)",
        if report.suite == "." { "suite" } else { report.suite },
        count(report.tests.len(), "test"),
        count(report.schedule.workers.len(), "worker"),
        duration(makespan),
        duration(report.bounds.serial),
        speed_up(report.bounds.serial, makespan),
    );
    let mut picture =
        format!("<text class=\"title\" x=\"4\" y=\"16\">{}</text>\n", escaped(&title));
    let lanes = named_lanes(report.schedule).count();
    picture += &ticks(makespan, scale, lanes);
    for (number, (name, lane)) in named_lanes(report.schedule).enumerate() {
        let y = TOP + number as f64 * LINE;
        picture += &format!("<text x=\"4\" y=\"{:.0}\">{name}</text>\n", y + 15.0);
        picture += &boxes(lane, report.tests, scale, y);
    }
    picture += &legend(report.schedule, TOP + lanes as f64 * LINE + 16.0);
    (picture, TOP + lanes as f64 * LINE + 30.0)
}

fn ticks(makespan: Duration, scale: f64, lanes: usize) -> String {
    const TICKS: u32 = 5;
    let bottom = TOP + lanes as f64 * LINE;
    let tick = |number: u32| {
        let time = makespan * number / TICKS;
        let x = NAMES + time.as_secs_f64() * scale;
        let anchor = if number == TICKS { "end" } else { "middle" };
        format!(
            "<line class=\"tick\" x1=\"{x:.1}\" y1=\"38\" x2=\"{x:.1}\" y2=\"{bottom:.0}\"/>\
             <text x=\"{x:.1}\" y=\"34\" text-anchor=\"{anchor}\">{}</text>\n",
            duration(time)
        )
    };
    (0..=TICKS).map(tick).collect()
}

fn boxes(lane: &Lane, tests: &[TestId], scale: f64, y: f64) -> String {
    let narrow = |slot: &Slot| (slot.end - slot.start).as_secs_f64() * scale < NARROW;
    let alike = |a: &Slot, b: &Slot| {
        narrow(a)
            && narrow(b)
            && a.duplicate == b.duplicate
            && tests[a.test].class() == tests[b.test].class()
    };
    let mut drawn = String::new();
    for (number, together) in lane.slots.chunk_by(alike).enumerate() {
        let (first, last) = (together[0], together[together.len() - 1]);
        let class = match (first.duplicate, number % 2) {
            (true, _) => "again",
            (false, 0) => "own",
            (false, _) => "odd",
        };
        let name = match together {
            [one] => tests[one.test].to_string(),
            many => format!("{}: {}", tests[first.test].class(), count(many.len(), "test")),
        };
        let again = if first.duplicate { ", runs again" } else { "" };
        let tip = format!("{name}, {}{again}", duration(last.end - first.start));
        drawn += &format!(
            "<rect class=\"{class}\" x=\"{:.2}\" y=\"{y:.0}\" width=\"{:.2}\" height=\"20\">\
             <title>{}</title></rect>\n",
            NAMES + first.start.as_secs_f64() * scale,
            ((last.end - first.start).as_secs_f64() * scale).max(0.1),
            escaped(&tip)
        );
    }
    drawn
}

fn legend(schedule: &Schedule, y: f64) -> String {
    match schedule.duplicates() {
        0 => String::new(),
        many => format!(
            "<rect class=\"again\" x=\"{NAMES:.0}\" y=\"{:.0}\" width=\"10\" height=\"10\"/>\
             <text x=\"{:.0}\" y=\"{y:.0}\">{} for what they leave</text>\n",
            y - 9.0,
            NAMES + 15.0,
            if many == 1 { "1 test runs again".into() } else { format!("{many} tests run again") },
        ),
    }
}
