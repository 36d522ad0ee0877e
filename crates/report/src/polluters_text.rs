//! What tests leave changed as text, most important first.

use std::collections::BTreeSet;

use residue_model::trace::{GapKind, Pollution};
use residue_pollution::{Fate, Left, Polluted, Rank};

use crate::PollutersReport;
use crate::pollution_changes::changes_of;
use crate::run_text::in_suite;
use crate::style::{BAD, DIM, GOOD, HEADING, NAME, WARN, paint};
use crate::trace_frames::interesting;
use crate::units::{count, duration, grouped};

/// Entries of each rank; all of them if asked for.
const SHOWN: usize = 8;
/// Tests named in one line.
const NAMES: usize = 2;

const RANKS: [(Rank, &str); 5] = [
    (Rank::Proven, "another test suffers from it: a finding proves that"),
    (Rank::Read, "another test reads it"),
    (Rank::Public, "no test reads it yet, but any could: a public class, the JVM, the machine"),
    (Rank::Private, "no test reads it yet: a class that is not public"),
    (
        Rank::Harmless,
        "seldom matters: caches, counters, random numbers and names, loggers, initialisers",
    ),
];

/// What a run left changed.
pub fn polluters_text(report: &PollutersReport<'_>, all: bool) -> String {
    let mut text = headline(report);
    text += &differences(report);
    for (rank, title) in RANKS {
        text += &of_rank(report, rank, title, all);
    }
    text += &left_out(report);
    text += &not_compared(report);
    text
}

fn headline(report: &PollutersReport<'_>) -> String {
    let polluted = &report.ranking.polluted;
    let source = if report.from_store { "already in the store" } else { "ran just now" };
    let what = if report.per_class { "class" } else { "test" };
    let ratio = report.duration.as_secs_f64() / report.plain_duration.as_secs_f64().max(1e-6);
    let polluters: BTreeSet<&str> = polluted.iter().map(|one| one.polluter.as_str()).collect();
    let verdict = if polluted.is_empty() {
        paint(GOOD, format!("no {what} leaves shared state changed"))
    } else {
        let plural = if what == "class" { "es" } else { "s" };
        let (plural, verb) = if polluters.len() == 1 { ("", "leaves") } else { (plural, "leave") };
        let polluters = format!("{} {what}{plural} {verb}", grouped(polluters.len()));
        let roots = |most: Rank| {
            let of_rank = polluted.iter().filter(|one| one.rank <= most);
            of_rank.map(|one| one.root.as_str()).collect::<BTreeSet<_>>().len()
        };
        let pieces = count(roots(Rank::Harmless), "piece");
        let read = match roots(Rank::Read) {
            0 => "other tests read none of it".into(),
            read => format!("other tests read {} of them", grouped(read)),
        };
        paint(BAD, format!("{polluters} shared state changed")) + &format!(": {pieces}, {read}")
    };
    let new = match (report.baseline, report.new_count()) {
        (None, _) => String::new(),
        (Some(_), 0) => format!("  {}\n", paint(GOOD, "nothing is new: the baseline has it all")),
        (Some(_), new) => {
            format!("  {}\n", paint(BAD, format!("{} not in the baseline", grouped(new))))
        }
    };
    format!(
        "{}: {}{}, {}, in {}, {ratio:.1} times the plain run {}\n  {verdict}\n{new}",
        paint(HEADING, format!("polluters in run {}", report.run)),
        in_suite(report.suite),
        count(report.trace.order.len(), "test"),
        report.order,
        duration(report.duration),
        paint(DIM, format!("({source})")),
    )
}

fn differences(report: &PollutersReport<'_>) -> String {
    if report.differences.is_empty() {
        return String::new();
    }
    let tests = count(report.differences.len(), "test");
    let names: Vec<_> = report.differences.iter().map(|one| one.test.to_string()).collect();
    let title = format!("{tests} ended otherwise than without the agent: no evidence about them");
    format!("\n{}\n   {}\n", paint(WARN, title), some_of(&names))
}

fn of_rank(report: &PollutersReport<'_>, rank: Rank, title: &str, all: bool) -> String {
    let of_rank: Vec<_> =
        report.ranking.polluted.iter().filter(|polluted| polluted.rank == rank).collect();
    if of_rank.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{}\n", paint(HEADING, title));
    let groups = by_root(&of_rank);
    let most = if all { groups.len() } else { SHOWN };
    for group in groups.iter().take(most) {
        text += &entry(report, group[0], &group[1..]);
    }
    match groups.len().saturating_sub(most) {
        0 => text,
        hidden => text + &format!("   and {} more, see --all or --json\n", grouped(hidden)),
    }
}

/// What different tests leave of the same state, in the order of the first.
fn by_root<'a>(polluted: &[&'a Polluted<'a>]) -> Vec<Vec<&'a Polluted<'a>>> {
    let mut groups: Vec<Vec<&Polluted<'_>>> = Vec::new();
    for one in polluted {
        match groups.iter_mut().find(|group| group[0].root == one.root) {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    groups
}

fn entry(
    report: &PollutersReport<'_>,
    polluted: &Polluted<'_>,
    others: &[&Polluted<'_>],
) -> String {
    let is_new = others.iter().any(|other| report.is_new(other)) || report.is_new(polluted);
    let is_new = if is_new { paint(BAD, " new") } else { String::new() };
    let kind = polluted.harmless.map(|kind| paint(DIM, format!(" ({})", kind.as_str())));
    let mut text =
        format!("   {}{}{is_new}\n", paint(HEADING, &polluted.name), kind.unwrap_or_default());
    let sets = match (polluted.parameter_sets, polluted.tests.len()) {
        (0 | 1, _) => String::new(),
        (all, some) => paint(DIM, format!(" ({some} of {all} parameter sets)")),
    };
    text += &line("left by", &(paint(NAME, &polluted.polluter) + &sets));
    if !others.is_empty() {
        let names: Vec<_> = others.iter().map(|other| other.polluter.clone()).collect();
        text += &line("also by", &some_of(&names));
    }
    match &polluted.left {
        Left::State(places) => text += &changes(places),
        Left::Outside { .. } => text += &line("change", &outside_change(&polluted.left)),
        Left::Thread => {}
    }
    let test = polluted.tests.first().map(|test| &report.trace.order[*test]);
    if let (Some(stack), Some(test)) = (polluted.stack, test) {
        let frames = interesting(report.trace.frames_of(stack), test);
        for (place, frame) in frames.iter().enumerate() {
            text += &line(if place == 0 { "written at" } else { "" }, &paint(DIM, frame));
        }
    }
    let names = |tests: &[usize]| {
        let names: Vec<_> =
            tests.iter().map(|test| report.trace.order[*test].to_string()).collect();
        some_of(&names)
    };
    if !polluted.victims.is_empty() {
        let victims: Vec<_> = polluted.victims.iter().map(ToString::to_string).collect();
        text += &line("victim", &some_of(&victims));
    }
    if !polluted.readers.is_empty() {
        text += &line("read by", &names(&polluted.readers));
    }
    if !polluted.earlier_readers.is_empty() {
        let before = names(&polluted.earlier_readers);
        text += &line("read before", &format!("{before}: in another order they would see it"));
    }
    if polluted.rank == Rank::Public || polluted.rank == Rank::Private {
        text += &line("unread", &potential_victim(polluted));
    }
    if let Some(frame) = polluted.reset {
        text += &line("reset", &format!("when the test ends what {frame} does"));
    }
    text
}

fn line(label: &str, text: &str) -> String {
    format!("      {label:<11} {text}\n")
}

/// What a new test would have to do to become a victim.
fn potential_victim(polluted: &Polluted<'_>) -> String {
    match &polluted.left {
        Left::Thread => "a test that shares what the thread works on would race with it".into(),
        Left::Outside { fate: Fate::LeftOpen, .. } => {
            format!("a test that wants {} would not get it", polluted.name)
        }
        Left::State(_) | Left::Outside { .. } => {
            format!("a test that reads {} would see it", polluted.name)
        }
    }
}

/// What has become of something outside the heap.
pub(crate) fn outside_change(left: &Left<'_>) -> String {
    match left {
        Left::Outside { fate, inside: 0 } => fate.as_str().into(),
        Left::Outside { fate, inside } => {
            format!("{}, with {} in it", fate.as_str(), count(*inside, "name"))
        }
        Left::State(_) | Left::Thread => String::new(),
    }
}

/// What has become of places, a line each.
fn changes(places: &[&Pollution]) -> String {
    let lines = changes_of(places).into_iter().enumerate();
    lines.map(|(place, one)| line(if place == 0 { "value" } else { "" }, &one)).collect()
}

fn some_of(names: &[String]) -> String {
    let shown: Vec<_> = names.iter().take(NAMES).map(|name| paint(NAME, name)).collect();
    match names.len().saturating_sub(NAMES) {
        0 => shown.join(", "),
        hidden => format!("{} and {} more", shown.join(", "), grouped(hidden)),
    }
}

fn left_out(report: &PollutersReport<'_>) -> String {
    match report.ranking.of_new_roots {
        0 => String::new(),
        left_out => format!(
            "\n{} of classes that the test itself was the first to load: {}\n",
            count(left_out, "change"),
            paint(NAME, report.called_with.running("polluters --new-roots"))
        ),
    }
}

fn not_compared(report: &PollutersReport<'_>) -> String {
    let stopping = [GapKind::NotCompared, GapKind::TrackingStopped, GapKind::CutShort];
    let gaps: Vec<_> =
        report.trace.gaps.iter().filter(|gap| stopping.contains(&gap.kind)).collect();
    if gaps.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{}\n", paint(WARN, "not compared"));
    for gap in gaps {
        let count = grouped(usize::try_from(gap.count).unwrap_or(usize::MAX));
        text += &format!("   {count:>7}  {}\n", gap.detail);
    }
    text
}
