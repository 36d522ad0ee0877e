//! `residue detect`

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use residue_detect::{Accesses, Budget, Detection, Finding, Location, Unexplained};
use residue_graph::DependencyGraph;
use residue_lab::{DetectionSettings, Ended, Lab, LabError, Traced};
use residue_model::trace::{AccessPath, LocationId};
use residue_model::{OutcomeKind, RunRequest, Suite, TestId, TestOrder};
use residue_report::{DetectReport, Numbered, detect_json, detect_text};
use residue_schedule::SharedWithRuns;
use residue_store::{Store, SuiteKey};

use crate::args::{AlgorithmArg, DetectArgs};
use crate::around_change::AroundChange;
use crate::cause::{Causes, Effort, Means};
use crate::changes::Since;
use crate::deadline::Deadline;
use crate::detect_config::detect_config;
use crate::detection_watch::DetectionWatch;
use crate::error::CliError;
use crate::exit_code::ExitCode;
use crate::footing::{self, Footing};
use crate::json_file::{owns_stdout, write_document};
use crate::printer::Printer;
use crate::tracking::TrackingRules;
use crate::watch::Watch;
use crate::workbench::{Workbench, limits};

pub fn detect(args: &DetectArgs, printer: &mut Printer) -> Result<ExitCode, CliError> {
    let args = &mut args.clone();
    let rules = TrackingRules::read(&args.project.project, &args.tracking)?;
    // Before anything is built: a revision that is wrong is told at once.
    let since = args.since.as_deref();
    let since = since.map(|revision| Since::read(&args.project.project, revision)).transpose()?;
    let Footing { mut workbench, shared, looked } = footing::find(args, rules, printer)?;
    let started = Instant::now();
    let mut examined = Vec::new();
    for number in 0..workbench.suites.len() {
        // What one suite leaves of its share is for those after it.
        let suites_left = u32::try_from(workbench.suites.len() - number).unwrap_or(1);
        let budget = match args.budget.unwrap_or_default() {
            Budget::Time(whole) => {
                let elsewhere = looked.iter().sum::<Duration>() - looked[number];
                let spent = elsewhere + started.elapsed();
                Budget::Time(whole.saturating_sub(spent) / suites_left)
            }
            of_each => of_each,
        };
        let deadline = Deadline::new(budget).having_spent(looked[number]);
        let since = since.as_ref();
        let suite = examine(args, &mut workbench, number, since, &deadline, printer)?;
        let stop = suite.failure.is_some() || suite.causes.failure.is_some();
        examined.push(suite);
        if stop {
            break;
        }
    }
    conclude(args, &workbench, &shared, examined, printer)
}

/// One suite after its detection.
struct Examined {
    number: usize,
    detection: Detection,
    findings: Vec<Numbered>,
    /// How the locations are reached that the JSON document speaks of.
    paths: HashMap<Location, AccessPath>,
    around: Option<AroundChange>,
    causes: Causes,
    took: Duration,
    ended: Option<Ended>,
    failure: Option<LabError>,
}

fn examine(
    args: &DetectArgs,
    workbench: &mut Workbench,
    number: usize,
    since: Option<&Since>,
    deadline: &Deadline,
    printer: &mut Printer,
) -> Result<Examined, CliError> {
    let mut around = match since {
        Some(since) => Some(AroundChange::of(args, workbench, number, since, printer)?),
        None => None,
    };
    let mut executor = workbench.executor(number, &args.exec)?;
    let suites = workbench.suites.len();
    let open = &workbench.suites[number];
    let key = open.key;
    let default_order = open.suite.default_order()?;
    let settings = DetectionSettings {
        limits: limits(&args.exec),
        fresh: args.fresh,
        trace_settings: workbench.trace_settings(),
    };
    let mut lab = Lab::new(&mut workbench.store, key, &mut executor);
    let mut config = detect_config(args, suites);
    config.touched = around.as_ref().and_then(AroundChange::restriction);
    if args.algorithms.contains(&AlgorithmArg::DependenceAware) {
        let request = RunRequest { order: default_order.clone(), limits: settings.limits };
        let mut watch = Watch::new(printer, &open.spec.name);
        let fresh = settings.fresh;
        let traced = lab.trace(&request, &settings.trace_settings, fresh, &mut watch)?;
        config.accesses = Some(accesses(&traced));
    }
    let mut detection = Detection::new(&open.suite, config)?;
    let outcome = {
        let mut watch = DetectionWatch::new(printer, deadline);
        let mut stop = |time| match looks_for_causes(args) {
            true => deadline.ends_search_within(time),
            false => deadline.comes_within(time),
        };
        lab.detect(&mut detection, &settings, &mut watch, &mut stop)
    };
    let paths = match args.json {
        Some(_) => lab.paths(&detection.locations())?,
        None => HashMap::new(),
    };
    let findings = in_order(detection.findings(), &default_order);
    let mut findings = save_findings(&mut workbench.store, key, findings)?;
    match &mut around {
        Some(around) => around.settle(&mut workbench.store, key, &findings)?,
        None if !args.fresh => add_earlier(&mut findings, workbench, number, &detection)?,
        None => {}
    }
    let (ended, failure) = match outcome {
        Ok(ended) => (Some(ended), None),
        Err(failure) => (None, Some(failure)),
    };
    drop(executor);
    let causes = match failure {
        None if looks_for_causes(args) && !findings.is_empty() => {
            let is_too_late = |time| deadline.comes_within(time);
            let effort = Effort::Little(&is_too_late);
            let means = Means::new(number, &args.exec, workbench, printer, effort);
            Causes::of_groups(&findings, means)
        }
        _ => Causes::default(),
    };
    let took = deadline.elapsed();
    Ok(Examined { number, detection, findings, paths, around, causes, took, ended, failure })
}

fn looks_for_causes(args: &DetectArgs) -> bool {
    !args.no_causes && !args.no_trace && args.max_runs.is_none()
}

/// Adds what was found before in the same state of the suite, in whatever way: it
/// holds as long as nothing speaks against it.
fn add_earlier(
    findings: &mut Vec<Numbered>,
    workbench: &mut Workbench,
    number: usize,
    detection: &Detection,
) -> Result<(), CliError> {
    let found = findings.iter().map(|(_, finding)| finding.test.clone());
    let varying = detection.varying().into_iter().map(|varying| varying.test);
    let unsteady = detection.unreproduced().into_iter().map(|doubt| doubt.test);
    let settled: HashSet<TestId> = found.chain(varying).chain(unsteady).collect();
    let mut earlier = workbench.numbered_findings(number)?;
    earlier.retain(|(_, finding)| !settled.contains(&finding.test));
    findings.extend(earlier.into_iter().map(|(id, finding)| (id.to_string(), finding)));
    Ok(())
}

/// Findings in the default order of their tests: which was confirmed first
/// depends on how busy the machine was, and they get numbers now.
fn in_order(mut findings: Vec<Finding>, default_order: &TestOrder) -> Vec<Finding> {
    let tests = default_order.tests().iter();
    let places: HashMap<&TestId, usize> = tests.enumerate().map(|(place, t)| (t, place)).collect();
    findings.sort_by_key(|finding| places.get(&finding.test).copied());
    findings
}

/// What each test was seen to read and write.
fn accesses(traced: &Traced) -> Accesses {
    let graph = DependencyGraph::new(&traced.trace);
    let mut accesses = Accesses::new();
    let location = |id: LocationId| Location(u64::from(id.0));
    for (test, seen) in graph.accesses().into_iter().enumerate() {
        if let Some(seen) = seen {
            let reads = seen.reads.into_iter().map(location);
            let writes = seen.writes.into_iter().map(location);
            accesses.record(graph.test(test).clone(), reads, writes);
        }
    }
    accesses
}

/// Keeps findings, and gives them their numbers.
pub fn save_findings(
    store: &mut Store,
    suite: SuiteKey,
    findings: Vec<Finding>,
) -> Result<Vec<Numbered>, CliError> {
    let numbered = findings.into_iter().map(|finding| {
        let document = serde_json::to_string(&finding).map_err(CliError::Document)?;
        let id = store.save_finding(suite, &finding.test, finding.role.as_str(), &document)?;
        Ok((id.to_string(), finding))
    });
    numbered.collect()
}

/// Reports what there is, also of an analysis that was cut short.
fn conclude(
    args: &DetectArgs,
    workbench: &Workbench,
    shared: &SharedWithRuns,
    examined: Vec<Examined>,
    printer: &mut Printer,
) -> Result<ExitCode, CliError> {
    let report = |suite| Examined::report(suite, args, workbench, shared);
    let reports: Vec<_> = examined.iter().map(report).collect();
    for report in &reports {
        let text = detect_text(report);
        if owns_stdout(args.json.as_deref()) {
            printer.status(text.trim_end());
        } else {
            printer.data(&text);
        }
    }
    if let Some(path) = &args.json {
        write_document(path, &detect_json(&reports), printer)?;
    }
    let differ = reports.iter().any(DetectReport::outcomes_differ);
    drop(reports);
    match examined.into_iter().find_map(Examined::into_failure) {
        Some(failure) => Err(failure),
        None if differ => Ok(ExitCode::Findings),
        None => Ok(ExitCode::Clean),
    }
}

impl Examined {
    fn into_failure(self) -> Option<CliError> {
        self.failure.map(CliError::from).or(self.causes.failure)
    }

    /// What neither this detection nor an earlier one explains.
    fn unexplained(&self) -> Vec<Unexplained> {
        let mut unexplained = self.detection.unexplained();
        let is_found =
            |one: &Unexplained| self.findings.iter().any(|(_, found)| found.test == one.test);
        unexplained.retain(|one| !is_found(one));
        unexplained
    }

    fn report<'a>(
        &'a self,
        args: &DetectArgs,
        workbench: &'a Workbench,
        shared: &'a SharedWithRuns,
    ) -> DetectReport<'a> {
        let open = &workbench.suites[self.number];
        let detection = &self.detection;
        DetectReport {
            suite: &open.spec.name,
            tests: &open.suite,
            surefire_takes_orders: open.spec.surefire_takes_orders,
            jvm_per_class: open.spec.jvm_per_class,
            findings: self.findings.clone(),
            causes: &self.causes.proved,
            cause_tally: self.causes.tally.as_ref(),
            since: self.around.as_ref().map(AroundChange::report),
            failing: failing_by_default(detection, &open.suite),
            unreproduced: detection.unreproduced(),
            unexplained: self.unexplained(),
            varying: detection.varying(),
            perturbed: detection.perturbed(),
            refined: detection.refined(),
            paths: &self.paths,
            coverage: detection.coverage(),
            shared,
            restored: args.exec.restore,
            took: self.took,
            ended: match self.ended {
                Some(Ended::Complete) if detection.is_exhausted() => "the plan was carried out",
                Some(Ended::Complete) => {
                    "the plan was carried out as far as its share of runs goes, a larger --budget \
                     looks at more"
                }
                Some(Ended::RunLimit) => "stopped at --max-runs",
                Some(Ended::Stopped) => "the budget was used up",
                None => "cut short",
            },
            could_go_on: self.ended != Some(Ended::Complete),
            called_with: &workbench.called_with,
        }
    }
}

fn failing_by_default(detection: &Detection, suite: &Suite) -> usize {
    let quiet = |kind| matches!(kind, OutcomeKind::Passed | OutcomeKind::Skipped);
    let outcomes = suite.tests.iter().filter_map(|case| detection.expected(&case.id));
    outcomes.filter(|outcome| !quiet(outcome.kind())).count()
}
