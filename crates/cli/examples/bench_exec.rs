//! `make bench-exec`: how fast one-test orders run through residue against
//! plain starts of the frameworks' own runners, and what a large suite costs
//! over plain JUnit. Prints ratios; times of a shared machine mean little, so
//! plain starts stand both before and after what they are compared with.

#![allow(clippy::print_stdout)] // a benchmark prints its figures

#[path = "common/cost.rs"]
mod cost;
#[path = "common/generated.rs"]
mod generated;

use std::ops::Range;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use residue_exec::{LocalExecutor, LocalOptions, list};
use residue_lab::{Lab, Observer, Question};
use residue_model::{OutcomeKind, RunLimits, RunRequest, Suite, TestOrder};
use residue_store::{Fingerprint, Store};
use residue_test_support::{Fixture, JUNIT4, JUNIT5, jar};

use cost::Cost;
use generated::{JUNIT4_TEST, generate};

const ORDERS: usize = 200;
const CLASSES: usize = 100;
const TESTS_PER_CLASS: usize = 50;
const CONSOLE: &str = "org.junit.platform:junit-platform-console-standalone:1.11.4";

/// Arguments: how many rounds, and one of `junit4`, `junit5` and `large` to
/// measure only that.
fn main() {
    let mut arguments = std::env::args().skip(1);
    let rounds: usize = arguments.next().map_or(1, |n| n.parse().expect("rounds: a number"));
    let part = arguments.next();
    let wanted = |name: &str| part.as_deref().is_none_or(|part| part == name);
    println!("{ORDERS} one-test orders, each in a JVM of its own");
    println!("{:20} {:>18} {:>18} {:>10}", "framework", "plain (CPU)", "residue (CPU)", "ratio");
    for _ in 0..rounds {
        if wanted("junit4") {
            one_test_orders("JUnit 4", JUNIT4, JUNIT4_ASSERTIONS, plain_junit4);
        }
        if wanted("junit5") {
            one_test_orders("JUnit 5", JUNIT5, JUNIT5_ASSERTIONS, plain_junit5);
        }
    }
    println!("\n{} tests in one JVM, against JUnitCore", CLASSES * TESTS_PER_CLASS);
    println!("{:20} {:>18} {:>18} {:>10}", "each test", "plain (CPU)", "residue (CPU)", "overhead");
    for _ in 0..rounds {
        if wanted("large") {
            large_suite("empty", "");
            large_suite("1 ms", ONE_MILLISECOND);
        }
    }
}

const ONE_MILLISECOND: &str =
    "long until = System.nanoTime() + 1000000; while (System.nanoTime() < until) {}";
const JUNIT4_ASSERTIONS: (&str, &str) = (JUNIT4_TEST, "org.junit.Assert");
const JUNIT5_ASSERTIONS: (&str, &str) =
    ("org.junit.jupiter.api.Test", "org.junit.jupiter.api.Assertions");

fn one_test_orders(
    name: &str,
    coordinates: &[&str],
    (annotation, assertions): (&str, &str),
    plain: fn(&Fixture, &str) -> Command,
) {
    let sources = tempfile::tempdir().expect("temporary folder");
    for number in 0..ORDERS {
        let body = format!("{assertions}.assertEquals({number}, Integer.parseInt(\"{number}\"));");
        generate(sources.path(), number, annotation, 1, &body);
    }
    let fixture = Fixture::compile_sources("bench", sources.path(), coordinates);

    let some_plain = |numbers: Range<usize>| {
        Cost::of(|| {
            for number in numbers {
                let mut command = plain(&fixture, &class_name(number));
                let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
                assert!(status.expect("java starts").success(), "plain run {number} failed");
            }
        })
        .0
    };
    let before = some_plain(0..ORDERS / 2);
    let (first_time, (mut bench, orders)) = Cost::of(|| {
        let mut bench = Bench::open(&fixture);
        let alone = |test: &residue_model::TestCase| TestOrder::new(vec![test.id.clone()]);
        let orders = bench.suite.tests.iter().map(alone).collect::<Result<Vec<_>, _>>();
        let orders = orders.expect("one test is an order");
        bench.run(orders.clone());
        (bench, orders)
    });
    // Ends the JVMs that wait for more, so that their cost is counted here.
    let (again, ()) = Cost::of(move || {
        bench.run(orders);
        drop(bench);
    });
    let plain_cost = before + some_plain(ORDERS / 2..ORDERS);
    for (which, cost) in [("first time", first_time), ("again", again)] {
        let ratio = plain_cost.wall.as_secs_f64() / cost.wall.as_secs_f64();
        row(&format!("{name}, {which}"), plain_cost, cost, ratio, "x");
    }
}

fn large_suite(name: &str, body: &str) {
    let sources = tempfile::tempdir().expect("temporary folder");
    for number in 0..CLASSES {
        generate(sources.path(), number, JUNIT4_TEST, TESTS_PER_CLASS, body);
    }
    let fixture = Fixture::compile_sources("bench", sources.path(), JUNIT4);
    let plain = || {
        let mut command = java(&fixture, "org.junit.runner.JUnitCore");
        command.args((0..CLASSES).map(class_name)).stdout(Stdio::null());
        Cost::of(|| assert!(command.status().expect("java starts").success())).0
    };
    let before = plain();
    let (listing, mut bench) = Cost::of(|| Bench::open(&fixture));
    let order = bench.suite.default_order().expect("a listing has no test twice");
    let (run, ()) = Cost::of(|| bench.run(vec![order]));
    let plain = (before + plain()) / 2;
    let overhead = |cost: Cost| cost.wall.as_secs_f64() / plain.wall.as_secs_f64() * 100.0 - 100.0;
    row(&format!("{name}, run, stored"), plain, run, overhead(run), "%");
    let all = listing + run;
    row(&format!("{name}, listed too"), plain, all, overhead(all), "%");
}

fn row(name: &str, plain: Cost, residue: Cost, figure: f64, unit: &str) {
    println!("{name:20} {plain:>18} {residue:>18} {figure:8.2} {unit}");
}

fn class_name(number: usize) -> String {
    format!("bench.Generated{number}Test")
}

fn plain_junit4(fixture: &Fixture, class: &str) -> Command {
    let mut command = java(fixture, "org.junit.runner.JUnitCore");
    command.arg(class);
    command
}

fn plain_junit5(fixture: &Fixture, class: &str) -> Command {
    let mut command = Command::new(&fixture.spec.launch.java);
    command.arg("-jar").arg(jar(CONSOLE)).args(["execute", "--disable-banner", "-c", class, "-cp"]);
    command.arg(&fixture.spec.launch.class_path[0]);
    command
}

fn java(fixture: &Fixture, main: &str) -> Command {
    let launch = &fixture.spec.launch;
    let mut command = Command::new(&launch.java);
    command.arg("-cp").arg(std::env::join_paths(&launch.class_path).expect("no colons"));
    command.arg(main);
    command
}

/// A suite in a folder of its own, as `residue run` would work on it.
struct Bench {
    executor: LocalExecutor,
    store: Store,
    key: residue_store::SuiteKey,
    suite: Suite,
    _folder: tempfile::TempDir,
}

struct Silent;
impl Observer for Silent {}

impl Bench {
    fn open(fixture: &Fixture) -> Self {
        let folder = tempfile::tempdir().expect("temporary folder");
        let cache: PathBuf = folder.path().join(".residue");
        let mut store = Store::open(&cache).expect("a new store");
        let state = Fingerprint::from_hex(&"00".repeat(32)).expect("64 digits");
        let key = store.suite("bench", &state).expect("a new store");
        let options = LocalOptions { cache: Some(cache), ..LocalOptions::default() };
        let suite = list(&fixture.spec, &options).expect("the fixture can be listed");
        store.save_listing(key, &suite).expect("a new store");
        let executor = LocalExecutor::new(&fixture.spec, suite.clone(), &options);
        Self { executor: executor.expect("java is there"), store, key, suite, _folder: folder }
    }

    fn run(&mut self, orders: Vec<TestOrder>) {
        let question = |order| Question {
            request: RunRequest { order, limits: RunLimits::default() },
            repetitions: 1,
            fresh: true,
        };
        let questions: Vec<_> = orders.into_iter().map(question).collect();
        let mut lab = Lab::new(&mut self.store, self.key, &mut self.executor);
        let answers = lab.ask(&questions, &mut Silent).expect("the orders run");
        let results = answers.iter().flatten().flat_map(|answer| &answer.record.results);
        let passed = results.filter(|result| result.outcome.kind() == OutcomeKind::Passed).count();
        assert_eq!(passed, questions.iter().map(|q| q.request.order.len()).sum::<usize>());
    }
}
