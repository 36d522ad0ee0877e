//! A project opened for work: its suites discovered, fingerprinted and listed,
//! its store at hand.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use residue_detect::Finding;
use residue_discover::{DiscoverRequest, PlainClassPath, discover};
use residue_exec::{
    Captures, Interrupt, LocalExecutor, LocalOptions, RUNNER_JAR, agent_digest, list,
};
use residue_model::{BuildTool, Project, RunLimits, RunRecord, Suite, SuiteSpec};
use residue_report::CalledWith;
use residue_store::{FindingId, RunId, Store, StoredFinding, SuiteKey, Surroundings, fingerprint};

use crate::args::{ExecArgs, ProjectArgs};
use crate::called_with::called_with;
use crate::changes::ClassPath;
use crate::error::CliError;
use crate::interruption::on_signals;
use crate::printer::Printer;
use crate::settings::{BuildSettings, Settings};
use crate::tracking::TrackingRules;

/// Below the project folder.
const RESIDUE_FOLDER: &str = ".residue";

/// How a fingerprint tells that files are put back after each order.
const RESTORE: &str = "restore";

/// A project that is ready to be worked on.
pub struct Workbench {
    pub store: Store,
    pub suites: Vec<OpenSuite>,
    pub build_tool: BuildTool,
    /// For commands that reports suggest.
    pub called_with: CalledWith,
    project: PathBuf,
    folder: PathBuf,
    surroundings: Surroundings,
    /// The same if nothing is reset between orders.
    without_resets: Surroundings,
    interrupt: Interrupt,
    trace_rules: String,
    outside_rules: String,
    captures: Option<Captures>,
}

/// A suite whose tests are known.
pub struct OpenSuite {
    pub key: SuiteKey,
    pub spec: SuiteSpec,
    pub suite: Suite,
}

impl Workbench {
    /// Discovers the project, opens its store and lists every selected suite.
    /// `exec` says how orders will be run, if they will.
    pub fn open(
        args: &ProjectArgs,
        exec: Option<&ExecArgs>,
        printer: &mut Printer,
    ) -> Result<Self, CliError> {
        let interrupt = on_signals().map_err(CliError::Signals)?;
        let folder = args.project.join(RESIDUE_FOLDER);
        let settings = Settings::read(&args.project)?.build;
        let project = discovered(args, &settings, &folder, printer).map_err(|error| {
            // The build tool got the signal too, and failed because of it.
            if interrupt.is_raised() { CliError::Interrupted } else { error }
        })?;
        let store = Store::open(&folder)?;
        let build_tool = project.build_tool;
        let without_resets = Surroundings::new(&args.project, RUNNER_JAR, environment());
        let surroundings = without_resets.clone().with_resets(exec.map(resets).unwrap_or_default());
        let mut workbench = Self {
            store,
            suites: Vec::new(),
            build_tool,
            called_with: called_with(args, settings, exec),
            project: args.project.clone(),
            folder,
            surroundings,
            without_resets,
            interrupt,
            trace_rules: String::new(),
            outside_rules: String::new(),
            captures: None,
        };
        for spec in selected(project.suites, &args.suites)? {
            let opened = workbench.open_suite(spec, args.refresh, printer)?;
            workbench.suites.push(opened);
        }
        if workbench.suites.iter().all(|open| open.suite.tests.is_empty()) {
            let suites = workbench.suites.into_iter().map(|open| open.spec.name).collect();
            return Err(CliError::NoTests { suites });
        }
        Ok(workbench)
    }

    /// Opens the project to look at a finding again, in the way in which it was
    /// found: one that was made with `--restore` needs it again. Warns if the
    /// project has changed since. Returns how orders are to be run, too.
    pub fn open_for(
        finding: (FindingId, &StoredFinding),
        project: &ProjectArgs,
        exec: &ExecArgs,
        printer: &mut Printer,
    ) -> Result<(Self, ExecArgs), CliError> {
        let (id, stored) = finding;
        let project = ProjectArgs { suites: vec![stored.suite_name.clone()], ..project.clone() };
        let workbench = Self::open(&project, Some(exec), printer)?;
        if workbench.suites[0].key == stored.suite {
            return Ok((workbench, exec.clone()));
        }
        let restoring = ExecArgs { restore: true, ..exec.clone() };
        let same_files = Self::open(&project, Some(&restoring), printer)?;
        if same_files.suites[0].key == stored.suite {
            return Ok((same_files, restoring));
        }
        printer.warn(&format!("the project has changed since {id}: it may be gone or differ"));
        Ok((workbench, exec.clone()))
    }

    /// The findings about a suite in its present state, one a test, however its
    /// files were treated when they were made: a detection may have found that
    /// they must be put back after each order.
    pub fn findings(&mut self, number: usize) -> Result<Vec<Finding>, CliError> {
        let numbered = self.numbered_findings(number)?;
        Ok(numbered.into_iter().map(|(_, finding)| finding).collect())
    }

    /// The same with their numbers in the store.
    pub fn numbered_findings(
        &mut self,
        number: usize,
    ) -> Result<Vec<(FindingId, Finding)>, CliError> {
        let Self { store, suites, surroundings, without_resets, .. } = self;
        let spec = &suites[number].spec;
        let restoring = without_resets.clone().with_resets(vec![RESTORE.into()]);
        let (mut findings, mut tests) = (Vec::new(), HashSet::new());
        for surroundings in [&*surroundings, without_resets, &restoring] {
            let state = fingerprint(spec, surroundings, store)?;
            let Some(suite) = store.known_suite(&spec.name, &state)? else { continue };
            for id in store.findings_of(suite)? {
                let document = store.finding(id)?.document;
                let finding: Finding =
                    serde_json::from_str(&document).map_err(CliError::Document)?;
                if tests.insert(finding.test.clone()) {
                    findings.push((id, finding));
                }
            }
        }
        Ok(findings)
    }

    fn open_suite(
        &mut self,
        spec: SuiteSpec,
        refresh: bool,
        printer: &mut Printer,
    ) -> Result<OpenSuite, CliError> {
        let state = fingerprint(&spec, &self.surroundings, &mut self.store)?;
        let key = self.store.suite(&spec.name, &state)?;
        self.take_inventory(key, &spec)?;
        let stored = if refresh { None } else { self.store.listing(key)? };
        let suite = match stored {
            Some(suite) => suite,
            None => {
                printer.status(&format!("listing the tests of suite {}", spec.name));
                let suite = list(&spec, &self.options())?;
                self.store.save_listing(key, &suite)?;
                suite
            }
        };
        for broken in &suite.unlistable {
            let reason = broken.failure.headline();
            printer.warn(&format!("class {} has no list of tests: {reason}", broken.class));
        }
        Ok(OpenSuite { key, spec, suite })
    }

    /// Keeps what the suite runs with, so that later states can be compared.
    fn take_inventory(&mut self, key: SuiteKey, spec: &SuiteSpec) -> Result<(), CliError> {
        if self.store.inventory(key)?.is_none() {
            let Self { store, project, surroundings, .. } = self;
            let inventory = ClassPath::read(spec, project, surroundings, store)?.inventory;
            store.save_inventory(key, &inventory)?;
        }
        Ok(())
    }

    /// Sets what traced runs do not track, beyond the defaults.
    pub fn track(&mut self, rules: TrackingRules) {
        self.trace_rules = rules.fields;
        self.outside_rules = rules.outside;
    }

    /// Lets traced runs look for what is left changed.
    pub fn capture(&mut self, captures: Captures) {
        self.captures = Some(captures);
    }

    /// Tells traces apart that were made in another way.
    pub fn trace_settings(&self) -> String {
        self.trace_settings_with(self.captures)
    }

    /// The same for traces that look for this.
    pub fn trace_settings_with(&self, captures: Option<Captures>) -> String {
        let captures = captures.map(|captures| format!("pollution {}\n", captures.as_str()));
        let captures = captures.unwrap_or_default();
        let rules = format!("{}{}", self.trace_rules, self.outside_rules);
        format!("agent {}\n{captures}{rules}", agent_digest())
    }

    /// Something that runs orders of the suite with this number.
    pub fn executor(&self, number: usize, args: &ExecArgs) -> Result<LocalExecutor, CliError> {
        self.executor_with(number, args, self.captures)
    }

    /// The same, its traced runs looking for this.
    pub fn executor_with(
        &self,
        number: usize,
        args: &ExecArgs,
        captures: Option<Captures>,
    ) -> Result<LocalExecutor, CliError> {
        let open = &self.suites[number];
        let mut options = LocalOptions {
            captures,
            archive: !args.no_cds,
            restore: args.restore,
            before_run: args.before_run.clone(),
            ..self.options()
        };
        if let Some(jobs) = args.jobs {
            options.jobs = jobs.into();
        }
        let executor = LocalExecutor::new(&open.spec, open.suite.clone(), &options)?;
        if let Some((_, record)) = self.reference(number)?.last() {
            let results = record.results.iter();
            executor.know_durations(results.map(|result| (result.test.clone(), result.duration)));
        }
        Ok(executor)
    }

    /// The stored runs of the default order of the suite with this number.
    pub fn reference(&self, number: usize) -> Result<Vec<(RunId, RunRecord)>, CliError> {
        self.runs_of_default_order(self.suites[number].key)
    }

    /// The same for a suite in whatever state.
    pub fn runs_of_default_order(
        &self,
        suite: SuiteKey,
    ) -> Result<Vec<(RunId, RunRecord)>, CliError> {
        let runs = self.store.reference(suite)?;
        runs.into_iter().map(|run| Ok((run, self.store.load(run)?))).collect()
    }

    /// What the suite with this number has on its class path.
    pub fn class_path(&mut self, number: usize) -> Result<ClassPath, CliError> {
        let Self { store, suites, project, surroundings, .. } = self;
        Ok(ClassPath::read(&suites[number].spec, project, surroundings, store)?)
    }

    fn options(&self) -> LocalOptions {
        LocalOptions {
            cache: Some(self.folder.clone()),
            interrupt: Some(self.interrupt.clone()),
            trace_rules: self.trace_rules.clone(),
            outside_rules: self.outside_rules.clone(),
            ..LocalOptions::default()
        }
    }
}

/// The store of a project, without asking its build anything.
pub fn open_store(project: &Path) -> Result<Store, CliError> {
    let folder = project.join(RESIDUE_FOLDER);
    if !folder.is_dir() {
        return Err(CliError::NoStore { project: project.into() });
    }
    Ok(Store::open(&folder)?)
}

/// The limits that the command line asks for.
pub fn limits(args: &ExecArgs) -> RunLimits {
    RunLimits { per_test: args.test_timeout, per_run: args.run_timeout }
}

/// What every order starts from, where the user has a say in that.
fn resets(args: &ExecArgs) -> Vec<String> {
    let restore = args.restore.then(|| RESTORE.to_owned());
    let before = args.before_run.as_ref().map(|command| format!("before-run {command}"));
    restore.into_iter().chain(before).collect()
}

fn discovered(
    args: &ProjectArgs,
    settings: &BuildSettings,
    folder: &Path,
    printer: &mut Printer,
) -> Result<Project, CliError> {
    let plain = args.classpath.as_ref().map(|class_path| PlainClassPath {
        class_path: std::env::split_paths(class_path).collect(),
        test_classes: args.test_classes.clone(),
    });
    let request = DiscoverRequest {
        project: args.project.clone(),
        plain,
        build_args: [settings.args.as_slice(), &args.build_args].concat(),
        java_home: args.java_home.clone(),
        cache_dir: Some(folder.to_path_buf()),
        refresh: args.refresh,
        ..DiscoverRequest::default()
    };
    let found = discover(&request, &mut |line| printer.status(line))?;
    for warning in &found.warnings {
        printer.warn(warning);
    }
    Ok(found.project)
}

fn selected(specs: Vec<SuiteSpec>, wanted: &[String]) -> Result<Vec<SuiteSpec>, CliError> {
    let there: Vec<String> = specs.iter().map(|spec| spec.name.clone()).collect();
    if let Some(unknown) = wanted.iter().find(|name| !there.contains(name)) {
        return Err(CliError::NoSuchSuite { wanted: unknown.clone(), there });
    }
    let keep = |spec: &SuiteSpec| wanted.is_empty() || wanted.contains(&spec.name);
    Ok(specs.into_iter().filter(keep).collect())
}

fn environment() -> impl Iterator<Item = (String, String)> {
    let text = |text: &OsStr| text.to_string_lossy().into_owned();
    std::env::vars_os().map(move |(name, value)| (text(&name), text(&value)))
}
