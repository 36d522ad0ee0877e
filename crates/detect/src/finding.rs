//! What a detection reports.

use residue_model::{Outcome, TestId, TestOrder};
use serde::{Deserialize, Serialize};

use crate::{Algorithm, Comparison, Location};

/// The part a test plays in a dependence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Passes alone, does not pass after its polluters.
    Victim,
    /// Does not pass alone, passes after its state-setters.
    Brittle,
    /// Passes neither alone nor after its polluters, but fails in another way.
    FailsDifferently,
    /// Makes another test fail that would pass alone, or fail in another way.
    Polluter,
    /// Makes another test pass that would fail alone.
    StateSetter,
    /// Undoes what a polluter did.
    Cleaner,
}

impl Role {
    /// The word used in JSON and in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Victim => "victim",
            Self::Brittle => "brittle",
            Self::FailsDifferently => "fails-differently",
            Self::Polluter => "polluter",
            Self::StateSetter => "state-setter",
            Self::Cleaner => "cleaner",
        }
    }

    /// The role of those who flip a test of this role.
    pub(crate) fn partner(self) -> Self {
        match self {
            Self::Brittle => Self::StateSetter,
            _ => Self::Polluter,
        }
    }
}

/// An order that was really run, ending with the test in question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Witness {
    /// The tests, in the order they ran; the last is the one in question.
    pub order: TestOrder,
    /// How that last test ended.
    pub outcome: Outcome,
    /// In how many runs it ended so.
    pub held: u32,
    /// Of how many.
    pub runs: u32,
}

impl Witness {
    /// Whether every run agreed.
    pub fn reproduced(&self) -> bool {
        self.held == self.runs
    }
}

/// Tests that together flip a dependent test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartnerSet {
    /// What they are to the dependent test.
    pub role: Role,
    /// The tests, in the order in which they run.
    pub tests: Vec<TestId>,
    /// The dependent test after them.
    pub together: Witness,
    /// Without any one of the tests it does not happen. False only if the
    /// limit on runs kept that from being shown.
    pub minimal: bool,
    /// It happens only when a class is split, so that its class fixture runs
    /// again: with the tests of each class kept together it vanishes.
    pub fixture_artefact: bool,
}

/// Runs of many dependent tests with the same partners, all of them in one
/// order: without the partners each ended as alone, after the partners each did
/// not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Company {
    /// How many other tests.
    pub others: usize,
    /// How often either order ran.
    pub runs: u32,
}

/// Which order showed a difference first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Whose order.
    pub algorithm: Algorithm,
    /// Its label.
    pub order: String,
}

/// A test whose outcome depends on the order, with proof.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The dependent test.
    pub test: TestId,
    /// Victim, brittle, or failing differently.
    pub role: Role,
    /// How it ends in the default order.
    pub in_default_order: Outcome,
    /// The test with nothing before it; at class granularity, with only the
    /// tests that precede it in its class.
    pub alone: Witness,
    /// Where both were seen to happen again, if not in orders of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub company: Option<Company>,
    /// The smallest set of tests that was found to flip it.
    pub partners: PartnerSet,
    /// Others that flip it too, where a run showed that there are some: it failed
    /// although none of those known to make it fail had run before. If all were
    /// asked for, every single test that flips it.
    pub other_partners: Vec<PartnerSet>,
    /// A run showed that there are more, and nobody looked for them yet.
    #[serde(default)]
    pub others_unnamed: bool,
    /// Tests that, between the polluters and the victim, let it pass again.
    pub cleaners: Vec<CleanerSet>,
    /// What the partners wrote last and the dependent test read, where a trace
    /// tells. Means nothing without the traces, so it is not kept.
    #[serde(skip)]
    pub through: Vec<Location>,
    /// How closely outcomes were compared when it was found.
    #[serde(default)]
    pub comparison: Comparison,
    /// Which order showed it first.
    pub found_by: Origin,
}

/// Tests that together undo what the polluters did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CleanerSet {
    /// The tests, in the order in which they run.
    pub tests: Vec<TestId>,
    /// Polluters, cleaners, victim.
    pub witness: Witness,
    /// Without any one of the tests the victim does not pass.
    pub minimal: bool,
}

impl Finding {
    /// The shortest known order in which the test passes; `None` for a test
    /// that fails both ways.
    pub fn passing(&self) -> Option<&Witness> {
        match self.role {
            Role::Victim => Some(&self.alone),
            Role::Brittle => Some(&self.partners.together),
            _ => None,
        }
    }

    /// The shortest known order in which the test does not pass.
    pub fn failing(&self) -> &Witness {
        match self.role {
            Role::Brittle => &self.alone,
            _ => &self.partners.together,
        }
    }

    /// All sets of tests that are known to flip it.
    pub fn partner_sets(&self) -> impl Iterator<Item = &PartnerSet> {
        std::iter::once(&self.partners).chain(&self.other_partners)
    }

    /// The same finding, told with those partners that this test is one of, if it
    /// is one of any. What undoes them is not known.
    pub fn after(mut self, partner: &TestId) -> Option<Self> {
        if self.partners.tests.contains(partner) {
            return Some(self);
        }
        let mut others = self.other_partners.iter_mut();
        let other = others.find(|set| set.tests.contains(partner))?;
        std::mem::swap(&mut self.partners, other);
        self.company = None;
        self.cleaners.clear();
        self.through.clear();
        Some(self)
    }

    /// Each test that, by itself or with others, keeps the test from passing;
    /// not those that it needs.
    pub fn polluters(&self) -> impl Iterator<Item = &TestId> {
        let harmful = self.partner_sets().filter(|partners| partners.role == Role::Polluter);
        harmful.flat_map(|partners| &partners.tests)
    }

    /// Whether tests of another class are needed to see it.
    pub fn is_between_classes(&self) -> bool {
        let own = self.test.top_level_class();
        self.partners.tests.iter().any(|partner| partner.top_level_class() != own)
    }

    /// Whether it would be no finding if the test ended so after its partners.
    pub fn is_as_alone(&self, outcome: &Outcome) -> bool {
        self.comparison.same(outcome, &self.alone.outcome, &self.test)
    }

    /// Whether every set of tests that flips it does so by splitting a class.
    pub fn is_fixture_artefact(&self) -> bool {
        self.partner_sets().all(|partners| partners.fixture_artefact)
    }
}

/// A difference that did not happen again in the same order: no dependence is
/// shown, but the test is not deterministic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unreproduced {
    /// The test.
    pub test: TestId,
    /// How it ends in the default order.
    pub in_default_order: Outcome,
    /// The order in question, with the outcome that was seen and how often.
    pub witness: Witness,
    /// Which order showed it first.
    pub found_by: Origin,
}

/// A difference that was not explained: the detection was stopped before, or a
/// run that was needed did not tell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unexplained {
    /// The test.
    pub test: TestId,
    /// How it ends in the default order.
    pub in_default_order: Outcome,
    /// How it ended in the order that showed it.
    pub outcome: Outcome,
    /// Which order showed it first.
    pub found_by: Origin,
}

/// A test that ends differently in runs of the default order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Varying {
    /// The test.
    pub test: TestId,
    /// The different outcomes that were seen.
    pub outcomes: Vec<Outcome>,
}

/// What can be said about one test so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// A confirmed finding shows it.
    OrderDependent,
    /// It ended differently in runs of one and the same order.
    NonDeterministic,
    /// Nothing differed in any order that was tried.
    Independent,
    /// It was never reached in the default order, or a difference is not
    /// explained yet.
    Undetermined,
}

impl Verdict {
    /// The word used in JSON and in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OrderDependent => "order-dependent",
            Self::NonDeterministic => "non-deterministic",
            Self::Independent => "independent",
            Self::Undetermined => "undetermined",
        }
    }
}
