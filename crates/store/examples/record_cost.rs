//! What it costs to keep a run: `cargo run --release -p residue-store --example record_cost`.

use std::error::Error;
use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use residue_model::{
    CapturedOutput, Failure, Frame, Outcome, RunLimits, RunRecord, RunRequest, TestId, TestOrder,
    TestResult,
};
use residue_store::{Fingerprint, Store};

const TESTS: usize = 5_000;
const RUNS: usize = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let mut store = Store::open(folder.path())?;
    let fingerprint = Fingerprint::from_hex(&"0".repeat(64)).ok_or("not a fingerprint")?;
    let suite = store.suite("cost", &fingerprint)?;
    let record = record()?;
    let request = RunRequest { order: record.order.clone(), limits: RunLimits::default() };

    let mut stdout = io::stdout().lock();
    let mut times = Vec::new();
    for _ in 0..RUNS {
        let started = Instant::now();
        store.record(suite, &request.limits, &record)?;
        times.push(started.elapsed());
    }
    writeln!(stdout, "record, first run:   {:?}", times[0])?;
    times.sort();
    writeln!(stdout, "record, median:      {:?}", times[RUNS / 2])?;

    let started = Instant::now();
    let answers = store.answers(suite, &request)?;
    writeln!(stdout, "answers:             {:?}", started.elapsed())?;
    let started = Instant::now();
    store.load(answers[0])?;
    writeln!(stdout, "load:                {:?}", started.elapsed())?;
    let path = store.path().to_path_buf();
    drop(store);
    let bytes = std::fs::metadata(path)?.len();
    writeln!(stdout, "{RUNS} runs of {TESTS} tests: {} kB", bytes / 1000)?;
    Ok(())
}

/// One test in fifty fails, one in ten writes a line.
fn record() -> Result<RunRecord, Box<dyn Error>> {
    let tests = (0..TESTS)
        .map(|n| TestId::parse(&format!("com.example.shop.Suite{}Test#case{n}", n / 20)))
        .collect::<Result<Vec<_>, _>>()?;
    let order = TestOrder::new(tests)?;
    let result = |(n, test): (usize, &TestId)| TestResult {
        test: test.clone(),
        outcome: if n % 50 == 0 { Outcome::Failed(failure(n)) } else { Outcome::Passed },
        duration: Duration::from_micros(n as u64),
        output: CapturedOutput {
            stdout: if n % 10 == 0 { format!("line of test {n}\n") } else { String::new() },
            ..CapturedOutput::default()
        },
    };
    Ok(RunRecord {
        results: order.tests().iter().enumerate().map(result).collect(),
        order,
        deviated: None,
        unrequested: vec![],
        fixture_failures: vec![],
        left_behind: vec![],
        started_at: 0,
        duration: Duration::from_secs(5),
    })
}

fn failure(n: usize) -> Failure {
    let frame = |depth: i32| Frame {
        class: format!("com.example.shop.Layer{depth}"),
        method: "call".into(),
        file: Some("Layer.java".into()),
        line: Some(depth),
    };
    Failure {
        exception: "java.lang.AssertionError".into(),
        message: Some(format!("expected {n}")),
        frames: (0..30).map(frame).collect(),
        cause: None,
    }
}
