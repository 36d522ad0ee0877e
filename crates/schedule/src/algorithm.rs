//! The ways to make a schedule.

/// How a schedule is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Algorithm {
    /// ElectricTest's naive scheduler: tests that depend on each other in any
    /// way stay together.
    Naive,
    /// ElectricTest's greedy scheduler: in reference order, each test where it
    /// ends first, with what it needs run again there.
    Greedy,
    /// Ours: the longest way to a test first, then improved step by step, and
    /// proved optimal where that is cheap.
    Critical,
}

impl Algorithm {
    /// All of them, simplest first.
    pub const ALL: [Self; 3] = [Self::Naive, Self::Greedy, Self::Critical];

    /// The word used in JSON and in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Naive => "naive",
            Self::Greedy => "greedy",
            Self::Critical => "ours",
        }
    }
}
