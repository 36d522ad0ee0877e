//! Which of the places that a dependent test reads make the difference.
//!
//! Each question is one run: these places hold what they held before the
//! partners ran; does the test then end as it does alone?

/// Places that are tried one by one, the most suspicious ones.
const TRIED_SINGLY: usize = 8;

/// Runs after which the set is taken as it is.
const MOST_RUNS: usize = 64;

/// The fewest of `suspects` places, the most suspicious first, that undo the
/// dependence together, as far as `undoes` was asked; `None` if not even all
/// of them do.
pub fn smallest_cause<E>(
    suspects: usize,
    mut undoes: impl FnMut(&[usize]) -> Result<bool, E>,
) -> Result<Option<Vec<usize>>, E> {
    for suspect in 0..suspects.min(TRIED_SINGLY) {
        if undoes(&[suspect])? {
            return Ok(Some(vec![suspect]));
        }
    }
    let mut cause: Vec<usize> = (0..suspects).collect();
    if suspects < 2 || !undoes(&cause)? {
        return Ok(None);
    }
    let mut runs = 0;
    let mut size = cause.len().div_ceil(2);
    // Leaves out parts, the least suspicious first, and ever smaller ones.
    loop {
        let mut end = cause.len();
        while end > 0 && runs < MOST_RUNS {
            let start = end.saturating_sub(size);
            let without = [&cause[..start], &cause[end..]].concat();
            end = start;
            if without.is_empty() {
                continue;
            }
            runs += 1;
            if undoes(&without)? {
                cause = without;
            }
        }
        if size == 1 || runs >= MOST_RUNS {
            return Ok(Some(cause));
        }
        size = size.div_ceil(2);
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use proptest::prelude::*;

    use super::*;

    /// The cause that is found where all of `needed` must be put back, and the
    /// runs that takes.
    fn found(suspects: usize, needed: &[usize]) -> (Option<Vec<usize>>, usize) {
        let mut runs = 0;
        let undoes = |places: &[usize]| {
            runs += 1;
            Ok::<_, Infallible>(needed.iter().all(|place| places.contains(place)))
        };
        (smallest_cause(suspects, undoes).unwrap(), runs)
    }

    #[test]
    fn the_first_suspect_takes_one_run() {
        assert_eq!(found(100, &[0]), (Some(vec![0]), 1));
        assert_eq!(found(1, &[0]), (Some(vec![0]), 1));
    }

    #[test]
    fn one_among_a_thousand_takes_few_runs() {
        let (cause, runs) = found(1_000, &[700]);
        assert_eq!(cause, Some(vec![700]));
        assert!(runs < 35, "{runs}");
    }

    #[test]
    fn nothing_is_found_where_all_together_do_not_help() {
        assert_eq!(found(0, &[0]).0, None);
        assert_eq!(found(1, &[5]), (None, 1));
        assert_eq!(found(20, &[40]), (None, TRIED_SINGLY + 1));
    }

    proptest! {
        #[test]
        fn just_the_places_are_found_that_are_needed(
            needed in prop::collection::btree_set(0_usize..60, 1..4),
        ) {
            let needed: Vec<usize> = needed.into_iter().collect();
            let (cause, runs) = found(60, &needed);
            prop_assert_eq!(cause, Some(needed));
            prop_assert!(runs <= TRIED_SINGLY + 1 + MOST_RUNS);
        }
    }
}
