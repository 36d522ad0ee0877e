//! Few orders in which every item directly follows every other one.
//!
//! Williams' construction: for an even number of items the sequence
//! 0, n-1, 1, n-2, … has every difference modulo n once between neighbours, so
//! its n rotations hold every ordered pair of neighbours exactly once and begin
//! with every item once. For an odd number one more item is added and dropped
//! from each row again; its neighbours close up and only add pairs.

/// How many rows there are for `n` items.
pub(super) fn rows(n: usize) -> usize {
    match n {
        0 | 1 => n,
        _ => n + n % 2,
    }
}

/// One row, of `rows(n)`, as a permutation of `0..n`.
pub(super) fn row(n: usize, row: usize) -> Vec<usize> {
    let even = n + n % 2;
    let zigzag = (0..even).map(|place| {
        let step = place.div_ceil(2);
        if place % 2 == 0 { step } else { even - step }
    });
    zigzag.map(|item| (item + row) % even).filter(|&item| item < n).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;

    #[test]
    fn every_ordered_pair_is_adjacent_and_for_even_numbers_exactly_once() {
        for n in 1..=40 {
            let mut adjacent: HashMap<(usize, usize), usize> = HashMap::new();
            let mut first = HashSet::new();
            for number in 0..rows(n) {
                let row = row(n, number);
                assert_eq!(row.iter().collect::<HashSet<_>>().len(), n, "n = {n}");
                first.insert(row[0]);
                for pair in row.windows(2) {
                    *adjacent.entry((pair[0], pair[1])).or_default() += 1;
                }
            }
            assert_eq!(adjacent.len(), n * (n - 1), "n = {n}");
            assert_eq!(first.len(), n, "each item is first in some row, n = {n}");
            assert!(rows(n) <= n + 1);
            if n % 2 == 0 {
                assert!(adjacent.values().all(|&times| times == 1), "n = {n}");
            }
        }
    }

    #[test]
    fn of_nothing_there_is_no_row() {
        assert_eq!(rows(0), 0);
        assert_eq!((rows(1), row(1, 0)), (1, vec![0]));
    }
}
