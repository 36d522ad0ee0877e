//! Each unit alone: the bounded algorithms with k = 1.

use super::units::Units;
use super::{Proposal, Stage};
use crate::config::Algorithm;

pub(super) fn stages(units: &Units) -> Vec<Stage> {
    let units = units.clone();
    let planned = units.len() as u64;
    let orders = (0..units.len())
        .map(move |unit| Proposal { label: "alone".into(), order: units.get(unit).to_vec() });
    vec![Stage::new(Algorithm::Isolate, "isolate", planned, orders)]
}
