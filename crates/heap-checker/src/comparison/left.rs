//! Holds the pollution of a trace against what full snapshots of the heap before
//! and after each test show to be different.
//!
//! Everything that is not the same must be told by a pollution of the same test,
//! and every pollution must tell something that is not the same. State of classes
//! that the test was the first to load is no common root, so the snapshots say
//! nothing about it; nor do they about what class initialisers did, which the
//! trace has no write for.

use std::collections::BTreeMap;

use residue_model::trace::{
    EpochIndex, EpochKind, GapKind, LocationId, LocationName, Pollution, Trace,
};

use super::{Comparison, Difference, During, Identities, Reason};
use crate::changes::{Changes, Left};

/// What came of it.
#[derive(Debug, Default)]
pub struct LeftComparison {
    /// Tests that both have seen.
    pub tests: usize,
    /// Places that the snapshots show and the trace tells.
    pub agreed: usize,
    /// Places that only one of them has, and why.
    pub explained: BTreeMap<Reason, usize>,
    /// Where one of the two is wrong.
    pub differences: Vec<Difference>,
}

impl LeftComparison {
    /// Whether there is no difference.
    pub fn is_agreement(&self) -> bool {
        self.differences.is_empty()
    }

    /// Compares all tests of a run whose trace looked for pollution.
    pub fn of(trace: &Trace, changes: &Changes) -> Self {
        let (writes, identities) = Comparison::with_identities(trace, changes);
        let mut comparison = Self::default();
        if writes.epochs != trace.epochs.len() {
            comparison.differences = writes.differences;
            return comparison;
        }
        for (index, epoch) in changes.epochs.iter().enumerate() {
            if epoch.kind != EpochKind::Test {
                continue;
            }
            let at = EpochIndex(index as u32);
            let of_epoch = trace.pollutions.iter().filter(|one| one.epoch == at);
            let told: Vec<_> =
                of_epoch.map(|pollution| Told::of(trace, pollution, &identities)).collect();
            let during = During { epoch: index + 1, test: trace.test_of(at).clone() };
            comparison.tests += 1;
            comparison.of_test(&during, &told, &epoch.left, epoch.alike);
        }
        comparison.forgive_gaps(trace);
        comparison
    }

    fn of_test(&mut self, during: &During, told: &[Told<'_>], left: &[Left], alike: bool) {
        for one in left {
            if told.iter().any(|told| told.is_about(one)) {
                self.agreed += 1;
            } else if alike {
                self.explain(Reason::ChangedPlaces);
            } else {
                let place = match one.path.as_str() {
                    "" => one.label.clone(),
                    path => format!("{path} ({})", one.label),
                };
                self.differences.push(Difference::Unreported { during: during.clone(), place });
            }
        }
        for told in told {
            let is_claimed = told.is_written && !told.pollution.loaded_here;
            if is_claimed && !left.iter().any(|one| told.is_about(one)) {
                let place = told.pollution.place.to_string();
                self.differences.push(Difference::Unfounded { during: during.clone(), place });
            }
        }
    }

    fn explain(&mut self, reason: Reason) {
        *self.explained.entry(reason).or_default() += 1;
    }

    /// What the trace itself says it does not know is no mistake. It counts how
    /// often that was, so no more than that is forgiven.
    fn forgive_gaps(&mut self, trace: &Trace) {
        let gaps = trace.gaps.iter().filter(|gap| gap.kind == GapKind::NotCompared);
        let mut left: u64 = gaps.map(|gap| gap.count).sum();
        let mut forgiven = 0;
        self.differences.retain(|difference| {
            let is_forgiven = left > 0 && matches!(difference, Difference::Unreported { .. });
            left -= u64::from(is_forgiven);
            forgiven += usize::from(is_forgiven);
            !is_forgiven
        });
        if forgiven > 0 {
            self.explained.insert(Reason::NotCompared, forgiven);
        }
    }
}

/// A pollution of the trace with its locations as the heap has them.
struct Told<'a> {
    pollution: &'a Pollution,
    /// The object's number, if it has one that is known, and what is written of it.
    locations: Vec<(Holder, String)>,
    /// Whether a test has written one of them.
    is_written: bool,
}

#[derive(Clone, Copy)]
enum Holder {
    Static,
    Object(u32),
    /// It could not be told which object of the heap it is.
    Unknown,
}

impl<'a> Told<'a> {
    fn of(trace: &Trace, pollution: &'a Pollution, identities: &Identities) -> Self {
        let holder = |object: u32| {
            identities.holders.heap_of(object).map_or(Holder::Unknown, Holder::Object)
        };
        let location = |location: &LocationId| match &trace.location(*location).name {
            LocationName::StaticField { class, field } => {
                Some((Holder::Static, format!("static {class}#{field}")))
            }
            LocationName::Field { object, class, field } => {
                Some((holder(object.0), format!("{class}#{field}")))
            }
            LocationName::Elements { object, .. } => {
                Some((holder(object.0), trace.object(*object).class.to_string()))
            }
            LocationName::SystemProperty { .. }
            | LocationName::Outside(_)
            | LocationName::Undescribed { .. } => None,
        };
        let locations = pollution.locations.iter().filter_map(location).collect();
        let epochs = pollution.since.index()..=pollution.epoch.index();
        let mut writes = trace.epochs[epochs].iter().flat_map(|epoch| &epoch.writes);
        let is_written = writes.any(|write| pollution.locations.contains(&write.location));
        Self { pollution, locations, is_written }
    }

    fn is_about(&self, left: &Left) -> bool {
        let is_below_root = || left.path.starts_with(&self.pollution.place.root.to_string());
        if self.locations.is_empty() {
            return is_below_root();
        }
        self.locations.iter().any(|(holder, label)| match holder {
            Holder::Static => *label == left.label,
            Holder::Unknown => *label == left.label || is_below_root(),
            Holder::Object(number) => {
                left.parts.contains(number)
                    || left.holder == Some(*number)
                        && (*label == left.label || left.label.starts_with("elements of "))
            }
        })
    }
}
