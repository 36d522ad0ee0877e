//! Runs a schedule for real and finds out about what differs.

use std::time::Duration;

use residue_detect::{Algorithm, Config, Detection, Finding, Reference, Strategy};
use residue_exec::LocalExecutor;
use residue_lab::{Answer, DetectionSettings, Lab, Question};
use residue_model::{OutcomeKind, RunLimits, RunRecord, RunRequest, TestId, TestOrder, TestResult};
use residue_schedule::{Lane, Planner, Schedule};

use crate::args::Budget;
use crate::commands::save_findings;
use crate::deadline::Deadline;
use crate::detection_watch::DetectionWatch;
use crate::error::CliError;
use crate::plan::SuitePlan;
use crate::printer::Printer;
use crate::watch::Watch;
use crate::workbench::Workbench;

/// One suite on which a schedule is run.
pub struct ParallelRun<'a> {
    pub workbench: &'a mut Workbench,
    pub number: usize,
    pub plan: &'a SuitePlan,
    pub executor: LocalExecutor,
    pub limits: RunLimits,
}

/// What the workers did.
pub struct Performed {
    /// Lanes with their runs: the workers, then what came afterwards.
    pub lanes: Vec<(Lane, Answer)>,
}

/// What is known now of tests that differed.
#[derive(Default)]
pub struct Learned {
    pub findings: Vec<(String, Finding)>,
    pub disturbed: Vec<TestId>,
}

impl ParallelRun<'_> {
    /// All workers at once, then what must wait for them.
    pub fn perform(
        &mut self,
        schedule: &Schedule,
        printer: &mut Printer,
    ) -> Result<Performed, CliError> {
        let busy = |lane: &&Lane| !lane.slots.is_empty();
        let workers: Vec<_> = schedule.workers.iter().filter(busy).cloned().collect();
        let mut lanes = self.run_lanes(workers, printer)?;
        let afterwards = [&schedule.afterwards].into_iter().filter(busy).cloned().collect();
        lanes.extend(self.run_lanes(afterwards, printer)?);
        Ok(Performed { lanes })
    }

    fn run_lanes(
        &mut self,
        lanes: Vec<Lane>,
        printer: &mut Printer,
    ) -> Result<Vec<(Lane, Answer)>, CliError> {
        let tests = |lane: &Lane| lane.slots.iter().map(|slot| slot.test).collect::<Vec<_>>();
        let orders = lanes.iter().map(|lane| self.order(&tests(lane)));
        let orders = orders.collect::<Result<Vec<_>, _>>()?;
        let answers = self.ask(orders, printer)?;
        Ok(lanes.into_iter().zip(answers).collect())
    }

    /// Runs tests again in one JVM, in reference order, with all they need. If
    /// that is not enough, then with everything before them: something is
    /// needed that nobody knows of.
    pub fn run_again(
        &mut self,
        tests: &[usize],
        planner: &Planner<'_>,
        printer: &mut Printer,
    ) -> Result<Vec<RunRecord>, CliError> {
        let Some(&last) = tests.iter().max() else { return Ok(Vec::new()) };
        let mut records = Vec::new();
        for order in [planner.with_needs(tests), (0..=last).collect()] {
            let order = self.order(&order)?;
            let record = self.ask(vec![order], printer)?.swap_remove(0).record;
            let ids = tests.iter().map(|test| &self.plan.tests[*test]);
            let results: Vec<_> = ids.filter_map(|id| record.result(id)).cloned().collect();
            let recovered = affected(&results, &self.plan.reference).is_empty();
            records.push(record);
            if recovered {
                break;
            }
        }
        Ok(records)
    }

    fn order(&self, tests: &[usize]) -> Result<TestOrder, CliError> {
        Ok(TestOrder::new(tests.iter().map(|test| self.plan.tests[*test].clone()).collect())?)
    }

    fn ask(
        &mut self,
        orders: Vec<TestOrder>,
        printer: &mut Printer,
    ) -> Result<Vec<Answer>, CliError> {
        let limits = self.limits;
        let question = |order| {
            let request = RunRequest { order, limits };
            Question { request, repetitions: 1, fresh: true }
        };
        let questions: Vec<_> = orders.into_iter().map(question).collect();
        let key = self.workbench.suites[self.number].key;
        let mut watch = Watch::new(printer, &self.plan.suite);
        let mut lab = Lab::new(&mut self.workbench.store, key, &mut self.executor);
        let answers = lab.ask(&questions, &mut watch)?;
        Ok(answers.into_iter().flatten().collect())
    }

    /// Explains why tests ended otherwise in their worker. The store keeps what
    /// is found; a test for which nothing is found is taken to be disturbed by
    /// other workers.
    pub fn learn(
        &mut self,
        performed: &Performed,
        differing: &[TestId],
        budget: Duration,
        printer: &mut Printer,
    ) -> Result<Learned, CliError> {
        let of_interest = |answer: &Answer| {
            let tests = answer.record.order.tests();
            tests.iter().any(|test| differing.contains(test))
        };
        let given = performed.lanes.iter().filter(|(_, answer)| of_interest(answer));
        let reference_runs = self.plan.runs.len().clamp(1, 3) as u32;
        let config = Config {
            strategy: Strategy::Only(vec![Algorithm::Given]),
            given: given.map(|(_, answer)| answer.record.order.clone()).collect(),
            reference_runs,
            ..Config::default()
        };
        let open = &self.workbench.suites[self.number];
        let key = open.key;
        let mut detection = Detection::new(&open.suite, config)?;
        let settings = DetectionSettings { limits: self.limits, ..DetectionSettings::default() };
        let deadline = Deadline::new(Budget::Time(budget));
        {
            let mut watch = DetectionWatch::new(printer, &deadline);
            let mut lab = Lab::new(&mut self.workbench.store, key, &mut self.executor);
            lab.detect(&mut detection, &settings, &mut watch, &mut || deadline.is_over())?;
        }
        let of_differing = |finding: &Finding| differing.contains(&finding.test);
        let findings = detection.findings().into_iter().filter(of_differing).collect();
        let findings = save_findings(&mut self.workbench.store, key, findings)?;
        let explained = |test: &TestId| findings.iter().any(|(_, finding)| finding.test == *test);
        let mut disturbed = Vec::new();
        for test in differing.iter().filter(|test| !explained(test)) {
            if let Some(run) = performed.run_of(test) {
                self.workbench.store.save_disturbed(key, test, run.run)?;
                disturbed.push(test.clone());
            }
        }
        Ok(Learned { findings, disturbed })
    }
}

impl Performed {
    /// The results of the originals, in default order.
    pub fn results(&self, tests: &[TestId]) -> Vec<TestResult> {
        let mut results: Vec<Option<TestResult>> = vec![None; tests.len()];
        for (lane, answer) in &self.lanes {
            for (slot, result) in lane.slots.iter().zip(&answer.record.results) {
                if !slot.duplicate {
                    results[slot.test] = Some(result.clone());
                }
            }
        }
        results.into_iter().flatten().collect()
    }

    /// From the first order being handed to its JVM until the last JVM was gone,
    /// so that it compares with the duration of a single run.
    pub fn took(&self) -> Duration {
        let records = || self.lanes.iter().map(|(_, answer)| &answer.record);
        let began = records().map(|record| record.started_at).min().unwrap_or(0);
        let since = |at: u64| Duration::from_millis(at - began);
        records().map(|record| since(record.started_at) + record.duration).max().unwrap_or_default()
    }

    /// Duplicates that ended otherwise than in the default order.
    pub fn differing_duplicates(&self, reference: &Reference, tests: &[TestId]) -> usize {
        let of_lane = |(lane, answer): &(Lane, Answer)| {
            let differences = reference.differences(&answer.record);
            let duplicates = lane.slots.iter().filter(|slot| slot.duplicate);
            let differs = |test: &TestId| differences.iter().any(|other| other.test == test);
            duplicates.filter(|slot| differs(&tests[slot.test])).count()
        };
        self.lanes.iter().map(of_lane).sum()
    }

    fn run_of(&self, test: &TestId) -> Option<&Answer> {
        let has = |(lane, answer): &&(Lane, Answer)| {
            let place = answer.record.order.tests().iter().position(|other| other == test);
            place.is_some_and(|place| !lane.slots[place].duplicate)
        };
        self.lanes.iter().find(has).map(|(_, answer)| answer)
    }
}

/// Positions of tests that did not end as in the default order, those that a
/// worker never came to included.
pub fn affected(results: &[TestResult], reference: &Reference) -> Vec<usize> {
    let differs = |result: &TestResult| {
        let expected = reference.expected(&result.test);
        expected.is_some_and(|expected| {
            result.outcome.kind() == OutcomeKind::NotReached
                || !result.outcome.same_as(expected, &result.test)
        })
    };
    (0..results.len()).filter(|test| differs(&results[*test])).collect()
}
