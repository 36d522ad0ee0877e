//! What all parts of one detection know.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Duration;

use residue_model::TestId;

use crate::bits::{PairSet, TestSet};
use crate::config::{Config, Granularity};
use crate::coverage::{Conflicts, Restriction, StageProgress, Tally};
use crate::desk::{Asked, Desk, Tier};
use crate::explain::Case;
use crate::failures::Failures;
use crate::finding::{Finding, Role, Unexplained, Unreproduced};
use crate::knowledge::Knowledge;
use crate::observation::{Evidence, Observation};
use crate::pause::Pauses;
use crate::pradet::RefinedEdge;
use crate::purpose::{Purpose, Step};
use crate::reference::Reference;
use crate::roster::{Order, Roster, TestNumber};

pub(crate) struct Shared {
    pub(crate) roster: Roster,
    pub(crate) config: Config,
    pub(crate) desk: Desk,
    pub(crate) pauses: Pauses,
    pub(crate) ledger: RefCell<Ledger>,
}

/// What was learnt so far.
pub(crate) struct Ledger {
    pub(crate) reference: Reference,
    /// How long the suite takes: the first of its reference runs.
    pub(crate) suite_took: Option<Duration>,
    /// How long each test took in it.
    pub(crate) tests_took: Vec<Duration>,
    /// Tests that take most of that, if it is long.
    pub(crate) lengthy: TestSet,
    /// How each test came to its outcome in the default order.
    pub(crate) grounds: Vec<Option<Evidence>>,
    /// Tests seen before a test that ended as expected, row by that test. Only
    /// what exploration has looked at, so that it does not depend on timing.
    pub(crate) harmless: PairSet,
    pub(crate) known: Vec<KnownPartners>,
    pub(crate) findings: Vec<Finding>,
    /// What findings do not account for.
    pub(crate) failures: Failures,
    pub(crate) unreproduced: Vec<Unreproduced>,
    pub(crate) unexplained: BTreeMap<TestNumber, Unexplained>,
    pub(crate) standing: Vec<Standing>,
    /// What traced runs taught.
    pub(crate) knowledge: Knowledge,
    /// The traced run of the default order; where a test ended the JVM, also
    /// of what was left.
    pub(crate) traced_reference: Vec<Rc<Observation>>,
    /// The traced run of the reversed order, if there was one.
    pub(crate) traced_reversed: Option<Vec<Rc<Observation>>>,
    /// Tests that end differently only when they are traced.
    pub(crate) perturbed: BTreeSet<TestNumber>,
    pub(crate) refined: Vec<RefinedEdge>,
    pub(crate) conflicts: Option<Conflicts>,
    pub(crate) restricted: Option<Restriction>,
    pub(crate) tally: Tally,
    pub(crate) plan: Vec<StageProgress>,
    /// Steps that will come to the plan when they begin.
    pub(crate) not_begun: Vec<&'static str>,
    pub(crate) activity: String,
}

/// Where the examination of a test stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Nothing differed.
    Unsuspected,
    /// It differed, and is looked at or could not be explained.
    Suspected,
    /// It ended differently in one and the same order.
    Unsteady,
    /// A finding shows it.
    Dependent,
}

/// Tests that flipped some other test.
#[derive(Debug, Clone)]
pub(crate) struct KnownPartners {
    pub(crate) role: Role,
    pub(crate) tests: Vec<TestNumber>,
    pub(crate) dependents: usize,
}

impl Shared {
    pub(crate) fn new(roster: Roster, config: Config, plan: Vec<StageProgress>) -> Self {
        let tests = roster.len();
        let ledger = Ledger {
            reference: Reference::comparing(config.comparison),
            suite_took: None,
            tests_took: vec![Duration::ZERO; tests],
            lengthy: TestSet::new(tests),
            grounds: vec![None; tests],
            harmless: PairSet::new(tests),
            known: Vec::new(),
            findings: Vec::new(),
            failures: Failures::default(),
            unreproduced: Vec::new(),
            unexplained: BTreeMap::new(),
            standing: vec![Standing::Unsuspected; tests],
            knowledge: Knowledge::new(&roster),
            traced_reference: Vec::new(),
            traced_reversed: None,
            perturbed: BTreeSet::new(),
            refined: Vec::new(),
            conflicts: None,
            restricted: None,
            tally: Tally::new(&roster),
            plan,
            not_begun: Vec::new(),
            activity: String::new(),
        };
        let (desk, pauses) = (Desk::default(), Pauses::default());
        Self { roster, config, desk, pauses, ledger: RefCell::new(ledger) }
    }

    pub(crate) fn id(&self, test: TestNumber) -> &TestId {
        self.roster.id(test)
    }

    /// What must always come directly before a test: nothing, or the tests
    /// before it in its class when classes are not to be torn apart.
    pub(crate) fn home(&self, test: TestNumber) -> Vec<TestNumber> {
        match self.config.granularity {
            Granularity::Method => Vec::new(),
            Granularity::Class => {
                let class = &self.roster.classes()[self.roster.class_of(test)];
                class.iter().copied().take_while(|&other| other != test).collect()
            }
        }
    }

    /// Whether the test at this place ran directly after what must precede it.
    /// It does not when a test of its own class ended the JVM.
    pub(crate) fn is_at_home(&self, run: &Observation, place: usize) -> bool {
        if self.config.granularity == Granularity::Method {
            return true;
        }
        let (before, test) = (&run.reached()[..place], run.reached()[place].0);
        let home = self.home(test);
        before.len() >= home.len()
            && before[before.len() - home.len()..].iter().map(|(test, _)| test).eq(&home)
    }

    /// Asks a question on the way to explaining `test`.
    pub(crate) fn ask_about(
        &self,
        test: TestNumber,
        order: Order,
        repetition: u32,
        step: Step,
        rank: usize,
    ) -> Asked {
        let purpose = Purpose::Explanation { test: self.id(test).clone(), step };
        self.desk.ask(order, repetition, purpose, Tier::Now, rank)
    }

    /// Whether a trace of the default order is there.
    pub(crate) fn is_traced(&self) -> bool {
        !self.ledger.borrow().knowledge.is_empty()
    }

    /// Whether a test never differed and can be compared.
    pub(crate) fn is_unsuspected(&self, ledger: &Ledger, test: TestNumber) -> bool {
        ledger.standing[test as usize] == Standing::Unsuspected
            && ledger.reference.expected(self.id(test)).is_some()
    }

    /// Whether traces tell what there is still to find out about a test.
    pub(crate) fn is_open(&self, ledger: &Ledger, test: TestNumber) -> bool {
        !ledger.knowledge.is_unpredictable(test) && self.is_unsuspected(ledger, test)
    }

    /// Learns from runs, in the order given.
    pub(crate) fn learn(&self, runs: &[Rc<Observation>]) {
        let ledger = &mut *self.ledger.borrow_mut();
        for run in runs {
            ledger.knowledge.learn(run, &self.roster, self.config.comparison);
        }
    }

    pub(crate) fn busy_with(&self, activity: String) {
        self.ledger.borrow_mut().activity = activity;
    }
}

impl Ledger {
    /// From now on the test waits to be explained.
    pub(crate) fn suspect(&mut self, case: &Case, id: &TestId) {
        self.standing[case.test as usize] = Standing::Suspected;
        let unexplained = Unexplained {
            test: id.clone(),
            in_default_order: case.expected.outcome().clone(),
            outcome: case.differing.outcome().clone(),
            found_by: case.origin.clone(),
        };
        self.unexplained.insert(case.test, unexplained);
    }

    /// Keeps a failure of a test that differs somewhere, if its finding does not
    /// account for it.
    pub(crate) fn keep_failure(&mut self, test: TestNumber, seen: Evidence, roster: &Roster) {
        let differs =
            matches!(self.standing[test as usize], Standing::Suspected | Standing::Dependent);
        if differs {
            self.failures.add(test, seen);
            self.account_for(test, roster);
        }
    }

    /// From now on failures of the test that its finding accounts for tell nothing.
    pub(crate) fn account_for(&mut self, test: TestNumber, roster: &Roster) {
        let mut findings = self.findings.iter_mut();
        if let Some(finding) = findings.find(|finding| finding.test == *roster.id(test)) {
            self.failures.reduce(finding, roster);
            finding.others_unnamed = self.failures.are_left(test);
        }
    }

    /// How long these tests take, as far as that is known.
    pub(crate) fn expected_duration(&self, order: &[TestNumber]) -> Duration {
        order.iter().map(|&test| self.tests_took[test as usize]).sum()
    }

    /// Returns the partners if they have flipped no other test so far.
    pub(crate) fn remember(&mut self, role: Role, tests: &[TestNumber]) -> Option<KnownPartners> {
        Self::remember_in(&mut self.known, role, tests)
    }

    pub(crate) fn remember_in(
        all: &mut Vec<KnownPartners>,
        role: Role,
        tests: &[TestNumber],
    ) -> Option<KnownPartners> {
        let same = |known: &&mut KnownPartners| known.role == role && known.tests == tests;
        if let Some(known) = all.iter_mut().find(same) {
            known.dependents += 1;
            return None;
        }
        let new = KnownPartners { role, tests: tests.to_vec(), dependents: 1 };
        all.push(new.clone());
        Some(new)
    }
}
