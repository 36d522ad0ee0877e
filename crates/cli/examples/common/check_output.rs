//! How the checks of the agent print what they have found.

use std::collections::BTreeMap;

use residue_heap_checker::comparison::{Difference, Reason};

/// Why things may differ, how many differ all the same, and the first of them.
pub(crate) fn print_differences(
    explained: &BTreeMap<Reason, usize>,
    differences: &[Difference],
    most: usize,
) {
    for (reason, count) in explained {
        println!("  {count:>8} {reason}");
    }
    println!("  {:>8} differences", differences.len());
    for difference in differences.iter().take(most) {
        println!("    {difference}");
    }
    let more = differences.len().saturating_sub(most);
    if more > 0 {
        println!("    … and {more} more; --show {} shows all", differences.len());
    }
}
