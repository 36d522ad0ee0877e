//! What the workers of a schedule put into fields in place of tests, and
//! whether that held.
//!
//! A value held if it could be put in place, if the test it stood in for left
//! the same wherever it ran, and if nothing that was run with it ended
//! otherwise than in the default order. Only then do the outcomes count.

use std::collections::BTreeSet;

use residue_model::{
    FieldContent, FieldValue, StandIn, StandIns, StaticField, TestId, WatchedField,
};
use residue_report::Doubt;
use residue_schedule::{KnownValue, Lane, MetByValues, Speculation, Workload};

use crate::parallel::{Performed, PerformedLane};

/// Of each lane, what is to be put and looked at.
pub fn stand_ins(lanes: &[Lane], speculation: &Speculation) -> Vec<StandIns> {
    let mut all = vec![StandIns::default(); lanes.len()];
    for (lane, stand_ins) in lanes.iter().zip(&mut all) {
        for met in speculation.met_in(lane) {
            let Some(before) = place(lane, met.reader) else { continue };
            stand_ins.put.extend(met.values.iter().map(|known| stand_in(before, known)));
        }
    }
    let watched: BTreeSet<(usize, &StaticField)> = lanes
        .iter()
        .flat_map(|lane| speculation.met_in(lane))
        .flat_map(|met| met.values.iter().map(move |known| (met.writer, &known.field)))
        .collect();
    for (lane, stand_ins) in lanes.iter().zip(&mut all) {
        for (writer, field) in &watched {
            let after = place(lane, *writer);
            let field = |after| WatchedField { after, field: (*field).clone() };
            stand_ins.watched.extend(after.map(field));
        }
    }
    all
}

/// Lanes keep the default order.
fn place(lane: &Lane, test: usize) -> Option<usize> {
    lane.slots.binary_search_by_key(&test, |slot| slot.test).ok()
}

fn stand_in(before: usize, known: &KnownValue) -> StandIn {
    StandIn { before, field: known.field.clone(), value: known.value.clone() }
}

/// A dependency that was met by values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Met {
    /// Number of the lane.
    pub lane: usize,
    pub reader: usize,
    pub writer: usize,
    /// Why the values were wrong, if they were.
    pub doubt: Option<Doubt>,
}

/// What came of values that stood in for tests.
#[derive(Debug, Default)]
pub struct Speculated {
    pub met: Vec<Met>,
    /// All tests that ran with such values, or after such a test that they
    /// need.
    pub with_values: BTreeSet<usize>,
    /// Those among them whose outcomes do not count, because values were wrong.
    pub wrong: BTreeSet<usize>,
}

impl Speculated {
    /// Judges values by what the fields held where they come from, and by the
    /// outcomes of the tests. `differing` are those that ended otherwise than
    /// in the default order, `needs` is all that tests need of each other.
    pub fn judge(
        performed: &Performed,
        speculation: &Speculation,
        differing: &[&TestId],
        needs: &Workload,
    ) -> Self {
        let mut met = Vec::new();
        for (number, one) in performed.lanes.iter().enumerate() {
            for MetByValues { reader, writer, values } in speculation.met_in(&one.lane) {
                let mut doubts = values.iter().filter_map(|known| {
                    refusal(one, reader, known).or_else(|| left_otherwise(performed, writer, known))
                });
                met.push(Met { lane: number, reader, writer, doubt: doubts.next() });
            }
        }
        for one in met.iter_mut().filter(|one| one.doubt.is_none() && !differing.is_empty()) {
            let dependents = with_dependents(&BTreeSet::from([one.reader]), needs);
            let lane = &performed.lanes[one.lane];
            let mut differing = differing_from(lane, one.reader, differing);
            let differs = differing.find(|(position, _)| dependents.contains(position));
            one.doubt = differs.map(|(_, test)| Doubt::OtherOutcome { test: test.clone() });
        }
        let readers = met.iter().map(|met| met.reader).collect();
        let with_values = with_dependents(&readers, needs);
        let mut wrong = settle(&mut met, needs);
        // A test that goes astray may leave more than it usually does.
        let astray: Vec<&Met> = met.iter().filter(|met| wrong.contains(&met.reader)).collect();
        for Met { lane, reader, .. } in astray {
            let differing = differing_from(&performed.lanes[*lane], *reader, differing);
            wrong.extend(differing.map(|(position, _)| position));
        }
        Self { met, with_values, wrong }
    }
}

/// The originals in a lane, from a reader on, that ended otherwise than in the
/// default order.
fn differing_from<'a>(
    performed: &'a PerformedLane,
    reader: usize,
    differing: &'a [&TestId],
) -> impl Iterator<Item = (usize, &'a TestId)> {
    let run = performed.lane.slots.iter().zip(performed.answer.record.order.tests());
    run.filter(move |(slot, test)| {
        slot.test >= reader && !slot.duplicate && differing.contains(test)
    })
    .map(|(slot, test)| (slot.test, test))
}

/// Keeps the doubts that have no other one as their cause, and tells which
/// tests they concern: what a test leaves that ran with wrong values says
/// nothing about the values it was to leave.
fn settle(met: &mut [Met], needs: &Workload) -> BTreeSet<usize> {
    let mut wrong = BTreeSet::new();
    // What a test needs comes before it.
    met.sort_by_key(|met| met.reader);
    for one in met {
        if wrong.contains(&one.writer) {
            one.doubt = None;
        } else if one.doubt.is_some() {
            wrong.extend(with_dependents(&BTreeSet::from([one.reader]), needs));
        }
    }
    wrong
}

fn refusal(ran: &PerformedLane, reader: usize, known: &KnownValue) -> Option<Doubt> {
    let stand_in = stand_in(place(&ran.lane, reader)?, known);
    let put = ran.stand_ins.put.iter().position(|other| *other == stand_in)?;
    let reason = ran.account.refusal(put)?.to_owned();
    Some(Doubt::Refused { field: known.field.to_string(), reason })
}

/// What a test left instead of the value that stood in for it, in whichever
/// lane.
fn left_otherwise(performed: &Performed, writer: usize, known: &KnownValue) -> Option<Doubt> {
    let mut looked = false;
    for one in &performed.lanes {
        let Some(after) = place(&one.lane, writer) else { continue };
        let field = WatchedField { after, field: known.field.clone() };
        let watched = one.stand_ins.watched.iter().position(|other| *other == field);
        let content = watched.and_then(|watched| one.account.content(watched));
        match content {
            None => continue,
            Some(FieldContent::Value(value)) if *value == known.value => looked = true,
            Some(content) => {
                return Some(Doubt::Differs {
                    field: known.field.to_string(),
                    put: known.value.to_string(),
                    left: shown(content, &known.value),
                });
            }
        }
    }
    (!looked).then(|| Doubt::NotSeen { field: known.field.to_string() })
}

fn shown(content: &FieldContent, expected: &FieldValue) -> String {
    match content {
        FieldContent::Value(value) if value.to_string() == expected.to_string() => {
            format!("{value} with other bits")
        }
        FieldContent::Value(value) => value.to_string(),
        FieldContent::Other => "an object".into(),
        FieldContent::Unreadable(reason) => format!("something that cannot be read ({reason})"),
    }
}

/// These tests and all that need them, directly or not.
fn with_dependents(tests: &BTreeSet<usize>, needs: &Workload) -> BTreeSet<usize> {
    let mut all = tests.clone();
    // What a test needs comes before it.
    for test in 0..needs.tests() {
        if needs.may_need(test).any(|needed| all.contains(&needed)) {
            all.insert(test);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use residue_model::Primitive;

    use super::*;

    fn chain(tests: usize) -> Workload {
        let mut needs = Workload::new(vec![Duration::ZERO; tests]);
        (1..tests).for_each(|test| needs.require(test, [test - 1]));
        needs
    }

    fn met(reader: usize, doubt: Option<Doubt>) -> Met {
        Met { lane: reader, reader, writer: reader - 1, doubt }
    }

    #[test]
    fn what_follows_from_a_wrong_value_is_no_doubt_of_its_own() {
        let doubt = || Some(Doubt::NotSeen { field: "State.mode".into() });
        let mut all = [met(4, doubt()), met(3, None), met(2, doubt()), met(1, None)];
        let wrong = settle(&mut all, &chain(6));
        assert_eq!(wrong, BTreeSet::from([2, 3, 4, 5]));
        let doubtful = all.iter().filter(|met| met.doubt.is_some());
        assert_eq!(doubtful.map(|met| met.reader).collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn other_bits_are_told_where_both_values_look_alike() {
        let nan = |bits| FieldValue::Primitive { of: Primitive::Double, bits };
        let (one, other) = (nan(0x7ff8_0000_0000_0000), nan(0x7ff8_0000_0000_0001));
        assert_eq!(shown(&FieldContent::Value(other), &one), "NaN with other bits");
        assert_eq!(shown(&FieldContent::Value(FieldValue::Null), &one), "null");
        assert_eq!(shown(&FieldContent::Other, &one), "an object");
    }
}
