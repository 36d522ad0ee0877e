//! Which units could show something directly after which others.

use crate::bits::PairSet;
use crate::knowledge::Knowledge;
use crate::orders::Units;
use crate::roster::Roster;

/// Pairs (w, r) of different units of which w was seen to leave something that
/// r was seen to read. After any other unit a test sees what it sees alone.
/// Sorted by w, so that the readers of what one unit wrote stand together.
pub(super) fn conflicting(
    knowledge: &Knowledge,
    roster: &Roster,
    units: &Units,
    unit_of: &[usize],
) -> Vec<(usize, usize)> {
    let mut found = PairSet::new(units.len());
    let mut pairs = Vec::new();
    knowledge.conflicts(roster, |writer, reader| {
        let (writer, reader) = (unit_of[writer as usize], unit_of[reader as usize]);
        if writer != reader && !found.contains(writer as u32, reader as u32) {
            found.insert(writer as u32, reader as u32);
            pairs.push((writer, reader));
        }
    });
    pairs.sort_unstable();
    pairs
}
