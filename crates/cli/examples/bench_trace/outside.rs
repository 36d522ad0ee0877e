//! What watching files, sockets and the environment adds to tracing: traced with
//! and without it, in turns.

use crate::cost::Cost;
use crate::figures::{Line, median};
use crate::runs::Runs;
use crate::suites::differing;
use crate::test_jars::FILES;

pub(crate) fn measure(rounds: usize) -> [Line; 2] {
    println!(
        "\n{:30} {:>5} {:>19} {:>19} {:>7} {:>9} {:>7}",
        "state outside the heap, over tracing",
        "tests",
        "heap alone (CPU)",
        "all (CPU)",
        "ratio",
        "CPU ratio",
        "differ"
    );
    let unpacked = FILES.unpack();
    let mut heap = Runs::of_heap(&unpacked.suite, |class| FILES.has(class));
    let mut all = Runs::of(&unpacked.suite, "", |class| FILES.has(class));
    let (mut walls, mut cpus) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let (heap_run, all_run) = (heap.traced(), all.traced());
        let ratio = |figure: fn(Cost) -> f64| figure(all_run.cost) / figure(heap_run.cost);
        let wall = ratio(|cost| cost.wall.as_secs_f64());
        let cpu = ratio(|cost| cost.cpu.as_secs_f64());
        println!(
            "{:36} {:>5} {:>19} {:>19} {wall:>6.2}x {cpu:>8.2}x {:>7}",
            FILES.name,
            heap.tests(),
            heap_run.cost,
            all_run.cost,
            differing(&heap_run, &all_run),
        );
        walls.push(wall);
        cpus.push(cpu);
    }
    let line = |what, figures| Line {
        what,
        measured: format!("{:.2}x", median(figures)),
        goal: "at most 1.2x",
        electric_test: "",
    };
    [
        line("outside the heap over tracing, time", walls),
        line("outside the heap over tracing, CPU", cpus),
    ]
}
