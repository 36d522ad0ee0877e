//! Prints a trace file.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]
use residue_model::TestId;
use residue_model::trace::Trace;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let n: usize = std::env::args().nth(2).map_or(100, |n| n.parse().unwrap());
    let bytes = std::fs::read(path).unwrap();
    let order: Vec<TestId> = (0..n).map(|i| format!("T#t{i}").parse().unwrap()).collect();
    let trace: Trace =
        residue_wire::trace::TraceReader::new(&bytes).keep_all_reads().read(&order).unwrap();
    let brief = std::env::args().nth(3).is_some();
    for e in &trace.epochs {
        if brief {
            continue;
        }
        println!("== {:?} {} reads {} writes {}", e.kind, e.test, e.reads.len(), e.writes.len());
        for r in &e.reads {
            println!(
                "  R {} {}",
                trace.path(r.location),
                r.stack.map_or(String::new(), |s| trace
                    .frames_of(s)
                    .take(3)
                    .map(|f| format!("{f:?}"))
                    .collect::<Vec<_>>()
                    .join(" < "))
            );
        }
        for w in &e.writes {
            println!(
                "  W {} {:?} -> {:?} {}",
                trace.path(w.location),
                w.old.as_ref().map(|v| v.to_string()),
                w.new.as_ref().map(|v| v.to_string()),
                w.stack.map_or(String::new(), |s| trace
                    .frames_of(s)
                    .take(3)
                    .map(|f| format!("{}.{}:{:?}", f.class, f.method, f.line))
                    .collect::<Vec<_>>()
                    .join(" < "))
            );
        }
    }
    println!(
        "epochs {} locations {} objects {} stacks {} frames {} ignored {}",
        trace.epochs.len(),
        trace.locations.len(),
        trace.objects.len(),
        trace.stacks.len(),
        trace.frames.len(),
        trace.ignored.len()
    );
    let (r, w): (usize, usize) =
        trace.epochs.iter().fold((0, 0), |a, e| (a.0 + e.reads.len(), a.1 + e.writes.len()));
    println!("reads {r} writes {w}");
    for g in &trace.gaps {
        println!("gap {:?} {} x{}", g.kind, g.detail, g.count);
    }
}
