//! What could be had without regard to dependencies: the longest first, each to
//! the worker that is free first.

/// The worker with the least to do, the first of several.
pub(crate) fn least_loaded(loads: &[u64]) -> usize {
    (0..loads.len()).min_by_key(|worker| loads[*worker]).unwrap_or(0)
}

/// Of each worker the numbers of what it gets, in the order in which it does.
pub(crate) fn spread(costs: &[u64], workers: usize) -> Vec<Vec<usize>> {
    let mut longest_first: Vec<usize> = (0..costs.len()).collect();
    longest_first.sort_by_key(|number| std::cmp::Reverse(costs[*number]));
    let mut loads = vec![0_u64; workers];
    let mut lanes = vec![Vec::new(); workers];
    for number in longest_first {
        let worker = least_loaded(&loads);
        loads[worker] += costs[number];
        lanes[worker].push(number);
    }
    lanes
}
