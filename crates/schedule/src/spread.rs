//! What could be had without regard to dependencies.

/// The worker with the least to do, the first of several.
pub(crate) fn least_loaded(loads: &[u64]) -> usize {
    (0..loads.len()).min_by_key(|worker| loads[*worker]).unwrap_or(0)
}

/// The longest load when costs are spread, the largest first.
pub(crate) fn spread(mut costs: Vec<u64>, workers: usize) -> u64 {
    costs.sort_unstable_by(|a, b| b.cmp(a));
    let mut loads = vec![0_u64; workers];
    for cost in costs {
        let worker = least_loaded(&loads);
        loads[worker] += cost;
    }
    loads.into_iter().max().unwrap_or(0)
}
