//! Runs a schedule for real and finds out about what differs.

use std::collections::BTreeSet;
use std::time::Duration;

use residue_detect::{Algorithm, Budget, Config, Detection, Finding, Reference, Strategy};
use residue_exec::LocalExecutor;
use residue_lab::{Answer, DetectionSettings, Lab};
use residue_model::{
    OutcomeKind, RunLimits, RunRecord, RunRequest, StandInAccount, StandIns, TestId, TestOrder,
    TestResult,
};
use residue_report::Numbered;
use residue_schedule::{Lane, Planner};
use residue_store::Refutation;

use crate::commands::save_findings;
use crate::deadline::Deadline;
use crate::detection_watch::DetectionWatch;
use crate::error::CliError;
use crate::plan::SuitePlan;
use crate::printer::Printer;
use crate::speculating::BestSchedule;
use crate::stand_ins::{Speculated, stand_ins};
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
    pub lanes: Vec<PerformedLane>,
}

/// What one worker did.
pub struct PerformedLane {
    pub lane: Lane,
    pub answer: Answer,
    pub stand_ins: StandIns,
    pub account: StandInAccount,
}

/// What is known now of tests that differed.
#[derive(Default)]
pub struct Learned {
    pub findings: Vec<Numbered>,
    pub disturbed: Vec<TestId>,
}

impl ParallelRun<'_> {
    /// All workers at once, then what must wait for them.
    pub fn perform(
        &mut self,
        best: &BestSchedule,
        printer: &mut Printer,
    ) -> Result<Performed, CliError> {
        let BestSchedule { schedule, speculation, .. } = best;
        let lanes: Vec<Lane> = schedule.lanes().cloned().collect();
        let stand_ins = stand_ins(&lanes, speculation);
        let waits = usize::from(!schedule.afterwards.slots.is_empty());
        let mut workers: Vec<_> = lanes.into_iter().zip(stand_ins).collect();
        let afterwards = workers.split_off(workers.len() - waits);
        let mut lanes = self.run_lanes(workers, printer)?;
        lanes.extend(self.run_lanes(afterwards, printer)?);
        Ok(Performed { lanes })
    }

    fn run_lanes(
        &mut self,
        lanes: Vec<(Lane, StandIns)>,
        printer: &mut Printer,
    ) -> Result<Vec<PerformedLane>, CliError> {
        let limits = self.limits;
        let order = |(lane, stand_ins): &(Lane, StandIns)| {
            let tests: Vec<usize> = lane.slots.iter().map(|slot| slot.test).collect();
            let request = RunRequest { order: self.order(&tests)?, limits };
            Ok::<_, CliError>((request, stand_ins.clone()))
        };
        let orders = lanes.iter().map(order).collect::<Result<Vec<_>, _>>()?;
        let key = self.workbench.suites[self.number].key;
        let mut watch = Watch::new(printer, &self.plan.suite);
        let mut lab = Lab::new(&mut self.workbench.store, key, &mut self.executor);
        let answers = lab.stand_in(&orders, &mut watch)?;
        let performed = lanes.into_iter().zip(answers);
        let performed = performed.map(|((lane, stand_ins), (answer, account))| PerformedLane {
            lane,
            answer,
            stand_ins,
            account,
        });
        Ok(performed.collect())
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
            let record = self.ask(order, printer)?.record;
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

    /// Runs tests again that ran with wrong values, so that their outcomes
    /// count, and remembers not to use such values again.
    pub fn replace_wrong(
        &mut self,
        results: &mut [TestResult],
        performed: &Performed,
        speculated: &Speculated,
        planner: &Planner<'_>,
        printer: &mut Printer,
    ) -> Result<(), CliError> {
        let key = self.workbench.suites[self.number].key;
        for met in &speculated.met {
            let Some(doubt) = &met.doubt else { continue };
            let refutation = Refutation {
                reader: &self.plan.tests[met.reader],
                writer: &self.plan.tests[met.writer],
                run: performed.lanes[met.lane].answer.run,
                reason: &doubt.told(),
            };
            self.workbench.store.save_refuted(key, &refutation)?;
        }
        let wrong: Vec<usize> = speculated.wrong.iter().copied().collect();
        let records = self.run_again(&wrong, planner, printer)?;
        for test in wrong {
            let again =
                records.iter().rev().find_map(|record| record.result(&self.plan.tests[test]));
            if let Some(again) = again {
                results[test] = again.clone();
            }
        }
        Ok(())
    }

    fn order(&self, tests: &[usize]) -> Result<TestOrder, CliError> {
        Ok(TestOrder::new(tests.iter().map(|test| self.plan.tests[*test].clone()).collect())?)
    }

    fn ask(&mut self, order: TestOrder, printer: &mut Printer) -> Result<Answer, CliError> {
        let request = RunRequest { order, limits: self.limits };
        let mut watch = Watch::new(printer, &self.plan.suite);
        let key = self.workbench.suites[self.number].key;
        let mut lab = Lab::new(&mut self.workbench.store, key, &mut self.executor);
        let (answer, _) =
            lab.stand_in(&[(request, StandIns::default())], &mut watch)?.swap_remove(0);
        Ok(answer)
    }

    /// Explains why tests ended otherwise in their worker. The store keeps what
    /// is found; a test for which nothing is found is taken to be disturbed by
    /// other workers. Tests that ran with values of others are left out of the
    /// orders: without the values they do something else.
    pub fn learn(
        &mut self,
        performed: &Performed,
        differing: &[TestId],
        with_values: &BTreeSet<usize>,
        budget: Duration,
        printer: &mut Printer,
    ) -> Result<Learned, CliError> {
        let mut given = Vec::new();
        for performed in &performed.lanes {
            let tests = performed.lane.slots.iter().map(|slot| slot.test);
            let tests: Vec<usize> = tests.filter(|test| !with_values.contains(test)).collect();
            if tests.iter().any(|test| differing.contains(&self.plan.tests[*test])) {
                given.push(self.order(&tests)?);
            }
        }
        let reference_runs = self.plan.runs.len().clamp(1, 3) as u32;
        let config = Config {
            strategy: Strategy::Only(vec![Algorithm::Given]),
            given,
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
            lab.detect(&mut detection, &settings, &mut watch, &mut |time| {
                deadline.comes_within(time)
            })?;
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
        for PerformedLane { lane, answer, .. } in &self.lanes {
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
        let records = || self.lanes.iter().map(|performed| &performed.answer.record);
        let began = records().map(|record| record.started_at).min().unwrap_or(0);
        let since = |at: u64| Duration::from_millis(at - began);
        records().map(|record| since(record.started_at) + record.duration).max().unwrap_or_default()
    }

    /// Duplicates that ended otherwise than in the default order.
    pub fn differing_duplicates(&self, reference: &Reference, tests: &[TestId]) -> usize {
        let of_lane = |PerformedLane { lane, answer, .. }: &PerformedLane| {
            let differences = reference.differences(&answer.record);
            let duplicates = lane.slots.iter().filter(|slot| slot.duplicate);
            let differs = |test: &TestId| differences.iter().any(|other| other.test == test);
            duplicates.filter(|slot| differs(&tests[slot.test])).count()
        };
        self.lanes.iter().map(of_lane).sum()
    }

    fn run_of(&self, test: &TestId) -> Option<&Answer> {
        let has = |PerformedLane { lane, answer, .. }: &&PerformedLane| {
            let place = answer.record.order.tests().iter().position(|other| other == test);
            place.is_some_and(|place| !lane.slots[place].duplicate)
        };
        self.lanes.iter().find(has).map(|performed| &performed.answer)
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
