//! Figures over several rounds or suites, and lines of the final table.

use std::fmt;

pub(crate) fn median(mut figures: Vec<f64>) -> f64 {
    assert!(!figures.is_empty(), "the median of nothing");
    figures.sort_by(f64::total_cmp);
    let middle = figures.len() / 2;
    if figures.len() % 2 == 1 {
        figures[middle]
    } else {
        (figures[middle - 1] + figures[middle]) / 2.0
    }
}

pub(crate) fn geometric_mean(figures: &[f64]) -> f64 {
    let logarithms: f64 = figures.iter().map(|figure| figure.ln()).sum();
    (logarithms / figures.len() as f64).exp()
}

/// One line of the final table.
pub(crate) struct Line {
    pub(crate) what: &'static str,
    pub(crate) measured: String,
    pub(crate) goal: &'static str,
    pub(crate) electric_test: &'static str,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, measured, goal, electric_test } = self;
        write!(f, "{what:40} {measured:>14} {goal:>16} {electric_test:>24}")
    }
}
