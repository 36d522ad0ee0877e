//! What `residue detect` said, and whether that is what the sources say.

use std::collections::{BTreeMap, BTreeSet};

use residue_detect::{Finding, PartnerSet, Role, Witness};
use residue_model::{OutcomeKind, TestId};
use serde_json::Value;

use super::common::Subject;
use super::marks::{Dependence, Marks};

/// The only suite of a `residue-detect` document.
#[derive(Debug)]
pub struct Detected {
    pub exit_code: i32,
    pub suite: Value,
    pub findings: BTreeMap<String, Finding>,
}

/// `residue detect` with these arguments, as far as it gets.
pub fn detect(subject: &Subject, args: &[&str]) -> Detected {
    let said = subject.run("detect", &[&["--budget", "10m", "--json", "-"], args].concat());
    let mut document: Value =
        serde_json::from_str(&said.stdout).unwrap_or_else(|error| panic!("{error}: {said:#?}"));
    assert_eq!(document["format"], "residue-detect");
    assert_eq!(document["version"], 2);
    let suite = document["suites"][0].take();
    let finding = |value: &Value| {
        let finding: Finding = serde_json::from_value(value.clone()).unwrap();
        assert_eq!(value["fixture_artefact"], finding.is_fixture_artefact());
        (finding.test.to_string(), finding)
    };
    let listed = suite["findings"].as_array().unwrap();
    let findings: BTreeMap<_, _> = listed.iter().map(finding).collect();
    assert_eq!(findings.len(), listed.len(), "a test has two findings: {suite:#}");
    Detected { exit_code: said.code, suite, findings }
}

/// How much of each finding was asked for.
#[derive(Debug, Default, Clone, Copy)]
pub struct Asked {
    pub all_polluters: bool,
    pub cleaners: bool,
    pub confirmations: u32,
}

impl Detected {
    /// The dependent tests as marked, no more and no less, each with its role
    /// and a proven smallest set; nothing left open.
    #[track_caller]
    pub fn must_be(&self, marks: &Marks, asked: Asked) {
        let suite = &self.suite;
        assert_eq!(suite["ended"], "the plan was carried out", "{suite:#}");
        assert_eq!(suite["unexplained"], Value::Array(vec![]), "{suite:#}");
        let found: Vec<_> = self.findings.keys().collect();
        let expected: Vec<_> = marks.dependences.keys().collect();
        assert_eq!(found, expected, "{suite:#}");
        for (test, dependence) in &marks.dependences {
            dependence.must_be_shown_by(&self.findings[test], asked);
        }
        assert_eq!(self.non_deterministic(), marks.non_deterministic, "{suite:#}");
        let real = marks.dependences.values().any(|dependence| !dependence.fixture_artefact);
        assert_eq!(self.exit_code, i32::from(real), "{suite:#}");
    }

    fn non_deterministic(&self) -> BTreeSet<String> {
        let lists = ["non_deterministic", "unreproduced"].into_iter();
        let entries = lists.flat_map(|list| self.suite[list].as_array().unwrap());
        entries.map(|entry| entry["test"].as_str().unwrap().to_owned()).collect()
    }

    /// How many orders the algorithms tried, explanations aside.
    pub fn orders_tried(&self) -> u64 {
        let plan = self.suite["coverage"]["plan"].as_array().unwrap();
        plan.iter().map(|stage| stage["done"].as_u64().unwrap()).sum()
    }
}

impl Dependence {
    #[track_caller]
    fn must_be_shown_by(&self, finding: &Finding, asked: Asked) {
        assert_eq!(finding.role, self.role, "{finding:#?}");
        assert_eq!(finding.is_fixture_artefact(), self.fixture_artefact, "{finding:#?}");
        let partners = names(&finding.partners.tests);
        assert!(self.sets.iter().any(|set| set.is(&partners)), "{partners:?} is not {self:#?}");
        proves(&finding.alone, &[], finding, asked);
        assert_eq!(passed(&finding.alone), self.role == Role::Victim, "{finding:#?}");
        for set in finding.partner_sets() {
            self.must_be_flipped_by(set, finding, asked);
        }
        if asked.all_polluters {
            let sets = self.sets.iter().filter(|set| set.tests.len() == 1);
            let expected: BTreeSet<_> = sets.map(|set| set.tests[0].clone()).collect();
            let single = finding.partner_sets().filter(|set| set.tests.len() == 1);
            let found: BTreeSet<_> = single.map(|set| set.tests[0].to_string()).collect();
            assert_eq!(found, expected, "{finding:#?}");
        }
        if asked.cleaners {
            let found: BTreeSet<_> =
                finding.cleaners.iter().flat_map(|set| names(&set.tests)).collect();
            assert_eq!(found, self.cleaners, "{finding:#?}");
            for cleaner in &finding.cleaners {
                let before = [&finding.partners.tests[..], &cleaner.tests].concat();
                proves(&cleaner.witness, &before, finding, asked);
                assert!(passed(&cleaner.witness) && cleaner.minimal, "{finding:#?}");
            }
        }
    }

    #[track_caller]
    fn must_be_flipped_by(&self, set: &PartnerSet, finding: &Finding, asked: Asked) {
        let role = if self.role == Role::Brittle { Role::StateSetter } else { Role::Polluter };
        assert_eq!(set.role, role, "{finding:#?}");
        assert!(set.minimal, "{finding:#?}");
        proves(&set.together, &set.tests, finding, asked);
        assert_eq!(passed(&set.together), self.role == Role::Brittle, "{finding:#?}");
    }
}

/// The witness is of exactly these tests before the dependent one, seen as
/// often as it has to be, and always with the same end.
#[track_caller]
fn proves(witness: &Witness, before: &[TestId], finding: &Finding, asked: Asked) {
    let order = [before, std::slice::from_ref(&finding.test)].concat();
    assert_eq!(witness.order.tests(), order, "{finding:#?}");
    assert!(witness.reproduced(), "{finding:#?}");
    assert_eq!(witness.runs, 1 + asked.confirmations, "{finding:#?}");
}

fn passed(witness: &Witness) -> bool {
    witness.outcome.kind() == OutcomeKind::Passed
}

fn names(tests: &[TestId]) -> Vec<String> {
    tests.iter().map(TestId::to_string).collect()
}
