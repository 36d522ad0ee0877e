//! What a change of the code leaves to be run of one suite.

use std::collections::BTreeMap;
use std::time::Duration;

use residue_change::{Reason, Touched};
use residue_model::TestId;
use residue_schedule::Why;

use crate::Respected;

/// The selected tests of a suite.
#[derive(Debug)]
pub struct SelectReport<'a> {
    /// Name of the suite.
    pub suite: &'a str,
    /// What the code was compared with.
    pub compared: Compared<'a>,
    /// What differs, as people call it, each with what happened to it.
    pub changed: Vec<(String, &'static str)>,
    /// The tests, in default order.
    pub tests: &'a [TestId],
    /// Which of them the change touches.
    pub touched: &'a Touched,
    /// Which of them to run, and what for.
    pub selected: &'a BTreeMap<usize, Why>,
    /// How long each takes; nothing for those that never ran.
    pub durations: &'a [Duration],
    /// The traced run that tells what tests execute, read and write.
    pub basis: &'a str,
    /// Whether that run was of the code as it is now.
    pub basis_is_current: bool,
    /// Which dependencies are kept.
    pub respected: Respected,
}

/// What code was compared with.
#[derive(Debug, Clone, Copy)]
pub enum Compared<'a> {
    /// A git revision.
    Revision(&'a str),
    /// The code of the traced run.
    Basis,
}

impl<'a> SelectReport<'a> {
    /// How long the selected tests take.
    pub fn selected_time(&self) -> Duration {
        self.selected.keys().map(|test| self.durations[*test]).sum()
    }

    /// How long all tests take.
    pub fn whole_time(&self) -> Duration {
        self.durations.iter().sum()
    }

    /// The share of the time that is saved, between 0 and 1.
    pub fn saved(&self) -> f64 {
        let (selected, whole) = (self.selected_time(), self.whole_time());
        if whole.is_zero() { 0.0 } else { 1.0 - selected.as_secs_f64() / whole.as_secs_f64() }
    }

    /// Why a test is selected, on one line.
    pub(crate) fn why(&self, test: usize) -> String {
        let name = |other: usize| &self.tests[other];
        match self.selected.get(&test) {
            None => String::new(),
            Some(Why::Wanted) => self.reason(test).map_or_else(String::new, ToString::to_string),
            Some(Why::Downstream(of)) => format!("reads what {} leaves", name(*of)),
            Some(Why::NeededBy(reader)) => format!("sets up what {} reads", name(*reader)),
            Some(Why::Together(other)) => format!("runs whenever {} does", name(*other)),
        }
    }

    pub(crate) fn reason(&self, test: usize) -> Option<&'a Reason> {
        self.touched.reasons.get(&test)
    }

    /// How many are selected for such a reason.
    pub(crate) fn count(&self, wanted: impl Fn(&Why) -> bool) -> usize {
        self.selected.values().filter(|why| wanted(why)).count()
    }

    /// The ids of the selected tests, in default order.
    pub fn ids(&self) -> impl Iterator<Item = &'a TestId> {
        self.selected.keys().map(|test| &self.tests[*test])
    }
}
