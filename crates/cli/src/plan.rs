//! All that is known of a suite and bears on its schedule: outcomes and
//! durations of the default order, a trace of it, findings.

use std::collections::{BTreeSet, HashMap};
use std::thread;
use std::time::Duration;

use residue_detect::{Finding, PartnerSet, Reference};
use residue_graph::DependencyGraph;
use residue_lab::Traced;
use residue_model::{Framework, OutcomeKind, RunRecord, TestId, TestResult};
use residue_report::Respected;
use residue_schedule::{
    self as schedule, Bonds, Manifest, Planner, Schedule, Speculation, Workload,
    data_needs_without, machine_sharing,
};
use residue_store::{RunId, Store, SuiteKey};

use crate::args::{ExecArgs, GranularityArg, PlanArgs, RespectArg};
use crate::default_trace::default_trace;
use crate::error::CliError;
use crate::printer::Printer;
use crate::speculating;
use crate::workbench::Workbench;

/// What a schedule of one suite is made of.
pub struct SuitePlan {
    pub suite: String,
    /// The tests in default order.
    pub tests: Vec<TestId>,
    /// Runs of the default order, the newest last.
    pub runs: Vec<(RunId, RunRecord)>,
    pub reference: Reference,
    pub traced: Traced,
    manifests: Vec<Manifest>,
    /// Tests of classes whose fixtures change outcomes when they run again.
    inseparable: Vec<Vec<usize>>,
    /// By test, whether its framework has class fixtures.
    has_fixtures: Vec<bool>,
    disturbed: Vec<usize>,
    granularity: GranularityArg,
    respect: RespectArg,
    /// Where values may stand in for tests; nowhere unless that is asked for.
    pub speculation: Speculation,
}

impl SuitePlan {
    /// Gathers it from the store. What is missing is run: the default order as
    /// it is, and traced.
    pub fn prepare(
        workbench: &mut Workbench,
        number: usize,
        args: &PlanArgs,
        exec: &ExecArgs,
        printer: &mut Printer,
    ) -> Result<Self, CliError> {
        let open = &workbench.suites[number];
        let (key, suite) = (open.key, open.spec.name.clone());
        let tests = open.suite.default_order()?.tests().to_vec();
        let frameworks = open.suite.tests.iter().map(|test| test.framework);
        let has_fixtures = frameworks.map(|framework| framework != Framework::JUnit3).collect();
        let traced = default_trace(workbench, number, exec, printer)?;
        let runs = complete(workbench.reference(number)?);
        let reference = Reference::of(runs.iter().map(|(_, record)| record));
        let positions: HashMap<&TestId, usize> =
            tests.iter().enumerate().map(|(position, test)| (test, position)).collect();
        let position = |test: &TestId| positions.get(test).copied();
        let findings = workbench.findings(number)?;
        let manifests =
            findings.iter().filter_map(|finding| manifest(finding, &position)).collect();
        let inseparable = inseparable(&findings, &tests);
        let disturbed = workbench.store.disturbed(key)?.iter().filter_map(position).collect();
        let (granularity, respect) = (args.granularity, args.respect);
        warn_of_perturbed(&reference, &traced, printer);
        let mut plan = Self {
            suite,
            tests,
            runs,
            reference,
            traced,
            manifests,
            inseparable,
            has_fixtures,
            disturbed,
            granularity,
            respect,
            speculation: Speculation::default(),
        };
        if args.speculate {
            plan.speculation = speculating::find(&plan, workbench, number)?;
        }
        Ok(plan)
    }

    /// The tests with everything that binds them on one machine.
    pub fn workload(&self, graph: &DependencyGraph<'_>) -> Workload {
        self.workload_with(graph, &Speculation::default())
    }

    /// The same, less what values can stand in for.
    pub fn workload_with(
        &self,
        graph: &DependencyGraph<'_>,
        speculation: &Speculation,
    ) -> Workload {
        let mut workload = Workload::new(self.durations());
        if self.granularity == GranularityArg::Class {
            workload.keep_together(|test| self.tests[test].top_level_class());
        }
        if self.respect != RespectArg::Nothing {
            self.bind(&mut workload, graph, speculation);
            if self.respect == RespectArg::All {
                machine_sharing(graph).into_iter().for_each(|tests| workload.confine(tests));
            }
            self.disturbed.iter().for_each(|test| workload.postpone(*test));
        }
        workload
    }

    /// Single tests with all they are known to need, whatever is to be
    /// respected otherwise.
    pub fn careful_workload(&self, graph: &DependencyGraph<'_>) -> Workload {
        let (mut workload, nothing) = (Workload::new(self.durations()), Speculation::default());
        self.bind_data(&mut workload, graph, &nothing);
        self.bind_manifest(&mut workload, graph, &nothing);
        workload
    }

    /// The same for machines of their own, where builds choose by method.
    pub fn workload_of_shards(&self, graph: &DependencyGraph<'_>) -> Workload {
        let mut workload = Workload::new(self.durations());
        match self.granularity {
            GranularityArg::Class => {
                workload.keep_together(|test| self.tests[test].top_level_class());
            }
            GranularityArg::Method => {
                workload.keep_together(|test| (self.tests[test].class(), self.tests[test].method()))
            }
        }
        self.bind(&mut workload, graph, &Speculation::default());
        workload
    }

    /// The schedule to recommend, or the one to compare with.
    pub fn schedule(&self, planner: &Planner<'_>, workers: usize) -> Schedule {
        match self.respect {
            RespectArg::Nothing => planner.unsound(workers),
            RespectArg::All | RespectArg::Manifest => {
                planner.schedule(schedule::Algorithm::Critical, workers)
            }
        }
    }

    /// What an order of the tests in one JVM must keep.
    pub fn bonds(&self, graph: &DependencyGraph<'_>) -> Bonds {
        let mut bonds = match self.respect {
            RespectArg::All => {
                Bonds::of_trace(graph, &self.inseparable, |test| self.has_fixtures[test])
            }
            RespectArg::Manifest => Bonds::of_units(self.tests.len(), &self.inseparable),
            RespectArg::Nothing => return Bonds::none(self.tests.len()),
        };
        let traced = schedule::Traced::new(graph);
        for manifest in &self.manifests {
            bonds.keep_order(&manifest.bound(Some(&traced)));
        }
        bonds
    }

    /// Adds what tests need of each other, as far as it is to be respected.
    fn bind(
        &self,
        workload: &mut Workload,
        graph: &DependencyGraph<'_>,
        speculation: &Speculation,
    ) {
        if self.respect == RespectArg::All {
            self.bind_data(workload, graph, speculation);
        }
        if self.respect != RespectArg::Nothing {
            self.bind_manifest(workload, graph, speculation);
        }
    }

    fn bind_data(
        &self,
        workload: &mut Workload,
        graph: &DependencyGraph<'_>,
        speculation: &Speculation,
    ) {
        for (test, needs) in data_needs_without(graph, speculation).into_iter().enumerate() {
            workload.require(test, needs);
        }
    }

    /// The trace tells through what a test depends on another, so a value can
    /// stand in for a finding too.
    fn bind_manifest(
        &self,
        workload: &mut Workload,
        graph: &DependencyGraph<'_>,
        speculation: &Speculation,
    ) {
        let traced = schedule::Traced::new(graph);
        for manifest in &self.manifests {
            let setters = manifest.setters().into_iter();
            let left = setters.filter(|needed| !speculation.is_simple(manifest.test, *needed));
            workload.require(manifest.test, left);
            manifest.remedies(Some(&traced)).into_iter().for_each(|remedy| workload.remedy(remedy));
        }
    }

    /// Which dependencies [`Self::bind`] keeps.
    pub fn respected(&self) -> Respected {
        let findings = self.manifests.len();
        match self.respect {
            RespectArg::All => Respected::All { findings },
            RespectArg::Manifest => Respected::Manifest { findings },
            RespectArg::Nothing => Respected::Nothing,
        }
    }

    /// Of each test the median over all runs of the default order.
    pub fn durations(&self) -> Vec<Duration> {
        medians(&self.tests, &self.runs)
    }

    /// How long the default order takes in one JVM: the least of all runs.
    pub fn serial(&self) -> Duration {
        self.runs.iter().map(|(_, record)| record.duration).min().unwrap_or_default()
    }

    /// How long a JVM takes besides its tests: the least of all runs.
    pub fn overhead(&self) -> Duration {
        let beside = |record: &RunRecord| {
            let tests = record.results.iter().map(|result| result.duration).sum();
            record.duration.saturating_sub(tests)
        };
        self.runs.iter().map(|(_, record)| beside(record)).min().unwrap_or_default()
    }
}

/// Of each test the median over these runs; nothing if they do not have it.
pub fn medians(tests: &[TestId], runs: &[(RunId, RunRecord)]) -> Vec<Duration> {
    let mut seen: HashMap<&TestId, Vec<Duration>> = HashMap::new();
    for result in runs.iter().flat_map(|(_, record)| &record.results) {
        seen.entry(&result.test).or_default().push(result.duration);
    }
    let median = |test: &TestId| {
        let mut durations = seen.remove(test).unwrap_or_default();
        durations.sort_unstable();
        durations.get(durations.len() / 2).copied().unwrap_or_default()
    };
    tests.iter().map(median).collect()
}

/// The runs that came to every test, as far as there are any: the others tell
/// nothing of durations.
pub fn complete(runs: Vec<(RunId, RunRecord)>) -> Vec<(RunId, RunRecord)> {
    let reached = |result: &TestResult| result.outcome.kind() != OutcomeKind::NotReached;
    let (whole, cut): (Vec<_>, Vec<_>) =
        runs.into_iter().partition(|(_, record)| record.results.iter().all(reached));
    if whole.is_empty() { cut } else { whole }
}

/// How many workers are wanted.
pub fn workers(args: &PlanArgs) -> usize {
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    args.workers.map_or_else(cores, usize::from)
}

/// The findings about a suite.
fn findings(store: &Store, suite: SuiteKey) -> Result<Vec<Finding>, CliError> {
    let finding = |id| {
        let document = store.finding(id)?.document;
        serde_json::from_str(&document).map_err(CliError::Document)
    };
    store.findings_of(suite)?.into_iter().map(finding).collect()
}

/// What the findings about a suite in this state bind, among tests that have a
/// position.
pub fn manifests(
    store: &Store,
    suite: SuiteKey,
    position: &dyn Fn(&TestId) -> Option<usize>,
) -> Result<Vec<Manifest>, CliError> {
    let findings = findings(store, suite)?;
    Ok(findings.iter().filter_map(|finding| manifest(finding, position)).collect())
}

/// The tests of each class that a finding about fixtures is about.
fn inseparable(findings: &[Finding], tests: &[TestId]) -> Vec<Vec<usize>> {
    let about_fixtures =
        |finding: &&Finding| finding.partner_sets().any(|set| set.fixture_artefact);
    let named = findings.iter().filter(about_fixtures).flat_map(|finding| {
        finding.partner_sets().flat_map(|set| &set.tests).chain([&finding.test])
    });
    let classes: BTreeSet<&str> = named.map(TestId::top_level_class).collect();
    let of_class = |class| {
        let all = tests.iter().enumerate();
        all.filter(|(_, test)| test.top_level_class() == class).map(|(at, _)| at).collect()
    };
    classes.into_iter().map(of_class).collect()
}

/// Nothing if all comes from class fixtures that run twice: in a schedule the
/// tests of a class follow each other.
fn manifest(finding: &Finding, position: &dyn Fn(&TestId) -> Option<usize>) -> Option<Manifest> {
    let positions = |tests: &[TestId]| tests.iter().map(position).collect::<Option<Vec<_>>>();
    let real = finding.partner_sets().filter(|set: &&PartnerSet| !set.fixture_artefact);
    let partners: Vec<_> = real.filter_map(|set| positions(&set.tests)).collect();
    let as_alone =
        finding.comparison.same(&finding.in_default_order, &finding.alone.outcome, &finding.test);
    (!partners.is_empty()).then_some(())?;
    Some(Manifest {
        test: position(&finding.test)?,
        partners,
        cleaners: finding.cleaners.iter().filter_map(|set| positions(&set.tests)).collect(),
        as_with_partners: !as_alone,
    })
}

/// What a trace says about a test that the agent disturbed proves nothing.
fn warn_of_perturbed(reference: &Reference, traced: &Traced, printer: &mut Printer) {
    let differences = reference.differences(&traced.record);
    if let Some(first) = differences.first() {
        let many = differences.len();
        printer.warn(&format!(
            "{many} of the tests end otherwise when traced, {} for example: what they need may \
             not be known; `residue trace` shows them",
            first.test
        ));
    }
}
