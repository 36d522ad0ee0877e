//! Time for orders of one test through the local executor, against plain
//! starts of the framework's own launcher, one after the other.
//!
//! `cargo bench -p residue-exec [-- COUNT [ROUNDS]]`. Wall time depends on what
//! else the machine does; CPU time of the JVMs hardly does, so both are shown.

#![allow(clippy::print_stdout, clippy::unwrap_used)] // prints a table for a person

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use residue_exec::{ExecEvent, Executor, Jit, LocalExecutor, LocalOptions, Ticket, list};
use residue_model::{OutcomeKind, RunLimits, RunRequest, Suite};
use residue_test_support::{Fixture, JUNIT4, JUNIT5, jar};

const JUNIT4_TEST: &str = "package bench;
import org.junit.*;
public class OneTest { @Test public void adds() { Assert.assertEquals(2, 1 + 1); } }";

const JUNIT5_TEST: &str = "package bench;
import org.junit.jupiter.api.*;
class OneTest { @Test void adds() { Assertions.assertEquals(2, 1 + 1); } }";

const CONSOLE: &str = "org.junit.platform:junit-platform-console-standalone:1.11.4";

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|arg| arg.parse().ok());
    let count: u32 = numbers.next().unwrap_or(100);
    let rounds: u32 = numbers.next().unwrap_or(3);
    bench(
        "JUnit 4",
        JUNIT4_TEST,
        JUNIT4,
        &[],
        "org.junit.runner.JUnitCore",
        count,
        rounds,
        &["bench.OneTest"],
    );
    let arguments = ["execute", "--disable-banner", "--details=none", "-c", "bench.OneTest"];
    let launcher = "org.junit.platform.console.ConsoleLauncher";
    bench("JUnit 5", JUNIT5_TEST, JUNIT5, &[CONSOLE], launcher, count, rounds, &arguments);
}

#[allow(clippy::too_many_arguments)] // one call for each framework
fn bench(
    title: &str,
    source: &str,
    jars: &[&str],
    launcher_jars: &[&str],
    launcher: &str,
    count: u32,
    rounds: u32,
    arguments: &[&str],
) {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("bench")).unwrap();
    fs::write(folder.path().join("bench/OneTest.java"), source).unwrap();
    let fixture = Fixture::compile_sources("bench", folder.path(), jars);
    let suite = list(&fixture.spec, &LocalOptions::default()).unwrap();
    assert_eq!(suite.tests.len(), 1);

    let mut class_path = fixture.spec.launch.class_path.clone();
    if !launcher_jars.is_empty() {
        class_path.truncate(1);
        class_path.extend(launcher_jars.iter().map(|one| jar(one)));
    }
    println!("{title}: {count} orders of one test, {rounds} rounds");
    println!("{:34}{:>10}{:>10}{:>8}{:>8}", "", "wall/ms", "cpu/ms", "wall x", "cpu x");
    let caches: Vec<_> = configurations().iter().map(|_| tempfile::tempdir().unwrap()).collect();
    for _ in 0..rounds {
        let plain = measure(count, || plain_starts(&class_path, launcher, arguments, count));
        plain.print("plain starts", plain);
        for ((name, options), cache) in configurations().into_iter().zip(&caches) {
            let options = LocalOptions { cache: Some(cache.path().into()), ..options };
            let mut executor = LocalExecutor::new(&fixture.spec, suite.clone(), &options).unwrap();
            if options.archive {
                // Made once for a suite, so not counted here.
                while !has_archive(cache.path()) {
                    run_orders(&mut executor, &suite, 1);
                    std::thread::sleep(Duration::from_millis(200));
                }
            }
            let measured = measure(count, || run_orders(&mut executor, &suite, count));
            measured.print(name, plain);
        }
    }
}

fn configurations() -> Vec<(&'static str, LocalOptions)> {
    let bare = LocalOptions {
        jobs: 1,
        archive: false,
        start_ahead: false,
        jit: Jit::AsBuild,
        ..LocalOptions::default()
    };
    let quick = LocalOptions { jit: Jit::SuitedToLength, ..bare.clone() };
    let archive = LocalOptions { archive: true, ..quick.clone() };
    let ahead = LocalOptions { start_ahead: true, ..archive.clone() };
    vec![
        ("one job, nothing", bare.clone()),
        ("one job, C1", quick),
        ("one job, C1 + archive", archive),
        ("one job, C1 + archive + ahead", ahead),
        ("default", LocalOptions::default()),
    ]
}

fn has_archive(cache: &std::path::Path) -> bool {
    let files = fs::read_dir(cache.join("cds")).into_iter().flatten().flatten();
    files.map(|file| file.file_name()).any(|name| name.to_string_lossy().ends_with(".jsa"))
}

fn plain_starts(class_path: &[PathBuf], launcher: &str, arguments: &[&str], count: u32) {
    for _ in 0..count {
        let mut command = Command::new("java");
        command.arg("-cp").arg(std::env::join_paths(class_path).unwrap()).arg(launcher);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        assert!(command.status().unwrap().success());
    }
}

fn run_orders(executor: &mut LocalExecutor, suite: &Suite, count: u32) {
    let request =
        || RunRequest { order: suite.default_order().unwrap(), limits: RunLimits::default() };
    let (mut asked, mut finished) = (0, 0);
    while finished < count {
        while asked < count && asked - finished < u32::try_from(executor.capacity()).unwrap() {
            executor.start(Ticket(asked.into()), request());
            asked += 1;
        }
        match executor.next_event() {
            Some(ExecEvent::Finished { record, .. }) => {
                assert_eq!(record.results[0].outcome.kind(), OutcomeKind::Passed);
                finished += 1;
            }
            Some(ExecEvent::TestBegan { .. } | ExecEvent::TestEnded { .. }) => {}
            other => panic!("{other:?}"),
        }
    }
}

#[derive(Clone, Copy)]
struct Measured {
    wall: Duration,
    cpu: Duration,
}

impl Measured {
    fn print(self, name: &str, plain: Measured) {
        let millis = |duration: Duration| duration.as_secs_f64() * 1e3;
        println!(
            "{name:34}{:>10.1}{:>10.1}{:>8.2}{:>8.2}",
            millis(self.wall),
            millis(self.cpu),
            plain.wall.as_secs_f64() / self.wall.as_secs_f64(),
            plain.cpu.as_secs_f64() / self.cpu.as_secs_f64(),
        );
    }
}

fn measure(count: u32, work: impl FnOnce()) -> Measured {
    let (wall, cpu) = (Instant::now(), childrens_cpu());
    work();
    Measured { wall: wall.elapsed() / count, cpu: (childrens_cpu() - cpu) / count }
}

/// CPU time of all children that have ended, from the kernel's own account.
fn childrens_cpu() -> Duration {
    let stat = fs::read_to_string("/proc/self/stat").unwrap();
    let after_name = stat.rsplit_once(')').unwrap().1;
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    let ticks: u64 = fields[13].parse::<u64>().unwrap() + fields[14].parse::<u64>().unwrap();
    Duration::from_millis(ticks * 10)
}
