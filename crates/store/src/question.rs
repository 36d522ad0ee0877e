//! When two requests ask the same: same suite, same order, same limits.

use residue_model::{RunLimits, TestId};

use crate::values::micros;

/// A digest of the tests in their order, as columns and indexes keep it.
pub(crate) fn order_digest<'a>(tests: impl Iterator<Item = &'a TestId>) -> String {
    let mut hasher = blake3::Hasher::new();
    for test in tests {
        hasher.update(test.as_str().as_bytes());
        // No id holds a line break, so this separates.
        hasher.update(b"\n");
    }
    hasher.finalize().to_hex().to_string()
}

/// Limits as columns: per test, per run.
pub(crate) fn limit_columns(limits: &RunLimits) -> (i64, i64) {
    (micros(limits.per_test), micros(limits.per_run))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(tests: &[&str]) -> String {
        let ids: Vec<_> = tests.iter().map(|text| TestId::parse(text).unwrap()).collect();
        order_digest(ids.iter())
    }

    #[test]
    fn another_order_of_the_same_tests_is_another_question() {
        assert_eq!(digest(&["A#x", "A#y"]), digest(&["A#x", "A#y"]));
        assert_ne!(digest(&["A#x", "A#y"]), digest(&["A#y", "A#x"]));
        assert_ne!(digest(&["A#x", "A#y"]), digest(&["A#x"]));
        assert_ne!(digest(&["A#x", "A#y"]), digest(&["A#xA#y"]));
    }
}
