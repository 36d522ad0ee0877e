//! How much memory the processes we started have held at most.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// The kernel forgets the figure with the process, so it is read all the time;
/// as it only grows, little is missed.
const PERIOD: Duration = Duration::from_millis(10);

/// The largest peak (VmHWM) in bytes among our child processes during the work.
pub(crate) fn during(work: impl FnOnce()) -> u64 {
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let mut peak = 0;
            while !over.load(Ordering::Relaxed) {
                peak = children().iter().filter_map(|pid| peak_of(pid)).fold(peak, u64::max);
                thread::sleep(PERIOD);
            }
            peak
        });
        work();
        over.store(true, Ordering::Relaxed);
        watch.join().expect("reading files does not panic")
    })
}

fn children() -> Vec<String> {
    let threads = fs::read_dir("/proc/self/task").expect("Linux");
    let lists =
        threads.flatten().filter_map(|t| fs::read_to_string(t.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect()
}

fn peak_of(pid: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes * 1024)
}
