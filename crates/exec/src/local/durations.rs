//! How long an order will probably take.

use std::collections::HashMap;
use std::time::Duration;

use residue_model::{TestId, TestOrder};

/// A test nobody has seen yet, in a suite nobody has seen yet.
const TYPICAL_TEST: Duration = Duration::from_millis(50);
/// Below this the optimising compiler does not pay.
const SHORT: Duration = Duration::from_secs(10);
/// Below this most of what any compiler compiles is start-up code that will
/// not run again.
const BRIEF: Duration = Duration::from_millis(500);

/// How long an order takes, as far as compilers care.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Length {
    Brief,
    Short,
    Long,
}

#[derive(Debug, Default)]
pub(super) struct Durations {
    known: HashMap<TestId, Duration>,
    sum: Duration,
}

impl Durations {
    pub(super) fn learn(&mut self, test: &TestId, duration: Duration) {
        let old = self.known.insert(test.clone(), duration).unwrap_or_default();
        self.sum = self.sum.saturating_sub(old) + duration;
    }

    pub(super) fn length(&self, order: &TestOrder) -> Length {
        let unknown = match u32::try_from(self.known.len()) {
            Ok(count) if count > 0 => self.sum / count,
            _ => TYPICAL_TEST,
        };
        let of = |test| self.known.get(test).copied().unwrap_or(unknown);
        match order.tests().iter().map(of).sum::<Duration>() {
            sum if sum < BRIEF => Length::Brief,
            sum if sum < SHORT => Length::Short,
            _ => Length::Long,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_measured_decides() {
        let test = |name: &str| TestId::parse(name).unwrap();
        let order = TestOrder::new(vec![test("A#x"), test("A#y")]).unwrap();
        let mut durations = Durations::default();
        assert_eq!(durations.length(&order), Length::Brief);
        durations.learn(&test("A#x"), Duration::from_secs(6));
        assert_eq!(durations.length(&order), Length::Long, "the other one is taken to be as slow");
        durations.learn(&test("A#x"), Duration::from_secs(1));
        assert_eq!(durations.length(&order), Length::Short);
    }
}
