//! What something took.

use std::fmt;
use std::fs;
use std::ops::{Add, Div};
use std::time::{Duration, Instant};

/// Times of this process and of those it waited for.
#[derive(Clone, Copy)]
pub(crate) struct Cost {
    pub(crate) wall: Duration,
    pub(crate) cpu: Duration,
}

impl Cost {
    pub(crate) fn of<T>(work: impl FnOnce() -> T) -> (Self, T) {
        let (start, cpu) = (Instant::now(), cpu_so_far());
        let result = work();
        (Self { wall: start.elapsed(), cpu: cpu_so_far() - cpu }, result)
    }
}

impl Add for Cost {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { wall: self.wall + other.wall, cpu: self.cpu + other.cpu }
    }
}

impl Div<u32> for Cost {
    type Output = Self;
    fn div(self, by: u32) -> Self {
        Self { wall: self.wall / by, cpu: self.cpu / by }
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{:.2} s ({:.2} s)", self.wall.as_secs_f64(), self.cpu.as_secs_f64()))
    }
}

/// User and system time, from the four counters of proc(5) in hundredths.
fn cpu_so_far() -> Duration {
    let stat = fs::read_to_string("/proc/self/stat").expect("Linux");
    let (_, after_name) = stat.rsplit_once(')').expect("a name in parentheses");
    let counters = after_name.split_whitespace().skip(11).take(4);
    let ticks: u64 = counters.map(|count| count.parse::<u64>().expect("a number")).sum();
    Duration::from_millis(10 * ticks)
}
