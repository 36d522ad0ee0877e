//! Starts JVMs for one suite.

use std::collections::hash_map::RandomState;
use std::ffi::OsString;
use std::fs;
use std::hash::{BuildHasher, Hasher};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use residue_model::SuiteSpec;
use residue_wire::trace::with_outside;
use residue_wire::{Command, Configuration, Event, Malformed, PREAMBLE};
use tempfile::TempDir;

use super::agent::Agent;
use super::archive::{Archive, Offer};
use super::changed_files::Change;
use super::class_path::ClassPath;
use super::command_line::{self, Traits};
use super::durations::Length;
use super::jdk::Jdk;
use super::jvm::{Jvm, Listener, Woken, make_fifos};
use super::options::LocalOptions;
use super::output::{Kept, Stream};
use super::outside::{Library, Purpose, Watch};
use super::scratch::Scratch;
use crate::{ExecError, Interrupt};

/// What a JVM says before its order is kept for error messages only.
const STARTUP_OUTPUT: usize = 16 << 10;

#[derive(Debug)]
pub(super) struct Launcher {
    pub(super) suite: SuiteSpec,
    pub(super) options: LocalOptions,
    pub(super) scratch: Scratch,
    pub(super) archive: Option<Arc<Archive>>,
    jdk: Jdk,
    class_path: ClassPath,
    runner: PathBuf,
    /// Whether its JVMs run orders rather than list tests.
    runs_orders: bool,
}

/// What a JVM has to do with the archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sharing {
    /// Uses it or helps to make it.
    AsOffered,
    None,
}

/// A JVM that has been started and told how to set itself up.
#[derive(Debug)]
pub(super) struct Started {
    pub(super) jvm: Jvm,
    /// Stands in the marks that divide its output.
    pub(super) mark: String,
    /// Of the orders it suits.
    pub(super) length: Length,
    pub(super) uses_archive: bool,
    java: PathBuf,
    lesson: Option<Lesson>,
    /// Where it writes its trace.
    trace: Option<PathBuf>,
    watch: Option<Watch>,
}

/// The classes a JVM loads, for the archive.
#[derive(Debug)]
pub(super) struct Lesson {
    archive: Arc<Archive>,
    class_list: PathBuf,
    finished: bool,
}

type WatchAndEnvironment = (Watch, Vec<(OsString, OsString)>);

impl Launcher {
    pub(super) fn for_orders(suite: &SuiteSpec, options: &LocalOptions) -> Result<Self, ExecError> {
        Self::new(suite, options, true)
    }

    /// Uses the archive that an order has made, but makes none: listing loads
    /// other classes than running.
    pub(super) fn for_listing(
        suite: &SuiteSpec,
        options: &LocalOptions,
    ) -> Result<Self, ExecError> {
        Self::new(suite, options, false)
    }

    fn new(
        suite: &SuiteSpec,
        options: &LocalOptions,
        runs_orders: bool,
    ) -> Result<Self, ExecError> {
        let options = options.with_full_paths();
        let jdk = Jdk::of(&suite.launch.java)?;
        let class_path = match options.archive {
            true => ClassPath::arrange(&suite.launch.class_path)?,
            false => ClassPath::as_it_is(&suite.launch.class_path)?,
        };
        let scratch = Scratch::new(&options.scratch)?;
        let (runner, cache) = unpack_runner(options.cache.as_deref(), scratch.path())?;
        let archive = cache
            .filter(|_| options.archive)
            .and_then(|cache| Archive::of(suite, &jdk, &class_path, &runner, cache))
            .map(Arc::new);
        let suite = suite.clone();
        Ok(Self { suite, options, scratch, archive, jdk, class_path, runner, runs_orders })
    }

    pub(super) fn has_given_up_archive(&self) -> bool {
        self.archive.as_ref().is_some_and(|archive| archive.is_given_up())
    }

    /// Starts a JVM for an order of this length and sends it its
    /// configuration, without waiting for it.
    pub(super) fn start(&self, length: Length, sharing: Sharing) -> Result<Started, ExecError> {
        let folder = self.new_folder()?;
        let mut traits =
            Traits { length, archive: None, class_list: None, agent: None, environment: vec![] };
        let lesson = match sharing {
            Sharing::AsOffered => self.decide_on_archive(&mut traits, folder.path()),
            Sharing::None => None,
        };
        let mut watch = None;
        if self.options.restore {
            let made = self.watch(self.scratch.path(), folder.path())?;
            (watch, traits.environment) = (Some(made.0), made.1);
        }
        Ok(Started { lesson, watch, ..self.spawn(&traits, folder)? })
    }

    /// The same for a JVM that traces its order. It gets every compiler,
    /// because the hooks in rewritten code are made for the best one, and no
    /// archive, because that holds classes as they were before rewriting. It may
    /// also tell which code runs, unless it looks for pollution.
    pub(super) fn start_traced(&self, watches_code: bool) -> Result<Started, ExecError> {
        let cache = self.options.cache.as_deref();
        let rules = &self.options.trace_rules;
        let is_watched = watches_code && self.options.captures.is_none();
        let agent = Agent::unpack(&self.jdk, rules, cache, self.scratch.path())?
            .comparing(self.options.captures)
            .watching(if is_watched { self.class_folders() } else { Vec::new() });
        let folder = self.new_folder()?;
        let (option, trace) = agent.option(folder.path());
        let (watch, environment) = if self.options.outside || self.options.restore {
            let (watch, environment) = self.watch(&agent.folder, folder.path())?;
            (Some(watch), environment)
        } else {
            (None, Vec::new())
        };
        let traits = Traits {
            length: Length::Long,
            archive: None,
            class_list: None,
            agent: Some(option),
            environment,
        };
        let started = self.spawn(&traits, folder)?;
        Ok(Started { trace: Some(trace), watch, ..started })
    }

    /// Where the project's own classes are: what is built, of this module and
    /// of others, is a folder, and what is taken from elsewhere is a jar.
    fn class_folders(&self) -> Vec<PathBuf> {
        let launch = &self.suite.launch;
        let full = launch.class_path.iter().map(|entry| launch.working_dir.join(entry));
        full.filter(|entry| entry.is_dir()).collect()
    }

    fn watch(&self, libraries: &Path, folder: &Path) -> Result<WatchAndEnvironment, ExecError> {
        let library = Library::unpack(libraries, self.scratch.path())?;
        let cache = self.options.cache.as_deref();
        let own: Vec<&Path> = [&*self.runner].into_iter().chain(cache).collect();
        let purpose = Purpose {
            rules: &self.options.outside_rules,
            restore: self.options.restore,
            scratch: self.scratch.path(),
        };
        Watch::prepare(&library, folder, &self.suite.launch, &self.jdk, &own, purpose)
    }

    fn new_folder(&self) -> Result<TempDir, ExecError> {
        let folder = self.scratch.jvm_folder()?;
        let temp = folder.path().join("tmp");
        fs::create_dir(&temp).map_err(|source| ExecError::Scratch { path: temp, source })?;
        make_fifos(folder.path())?;
        Ok(folder)
    }

    fn spawn(&self, traits: &Traits, folder: TempDir) -> Result<Started, ExecError> {
        let launch = &self.suite.launch;
        let command = command_line::command(
            launch,
            &self.jdk,
            &self.class_path,
            &self.runner,
            traits,
            folder.path(),
        )?;
        let mut jvm = Jvm::spawn(command, folder)?;
        let mark = unguessable();
        jvm.send(self.configuration(&mark))?;
        Ok(Started {
            jvm,
            mark,
            length: traits.length,
            uses_archive: traits.archive.is_some(),
            java: self.jdk.java.clone(),
            lesson: None,
            trace: None,
            watch: None,
        })
    }

    fn decide_on_archive(&self, traits: &mut Traits, folder: &Path) -> Option<Lesson> {
        let archive = self.archive.as_ref()?;
        match archive.offer(self.runs_orders) {
            Offer::Nothing => None,
            Offer::Use(file) => {
                traits.archive = Some(file);
                None
            }
            Offer::Teach => {
                // Outlives the JVM's own folder, which has a name of its own.
                let name = folder.file_name().unwrap_or_default().to_string_lossy();
                let class_list = self.scratch.path().join(format!("{name}.classes"));
                traits.class_list = Some(class_list.clone());
                Some(Lesson { archive: Arc::clone(archive), class_list, finished: false })
            }
        }
    }

    fn configuration(&self, mark: &str) -> Vec<u8> {
        let selection = &self.suite.selection;
        let configuration = Configuration {
            class_path: self.class_path.as_the_build_says(),
            system_properties: self.suite.launch.system_properties.clone(),
            provider: selection.provider,
            groups: selection.groups.clone(),
            excluded_groups: selection.excluded_groups.clone(),
            platform_parameters: selection.platform_parameters.clone(),
            listeners: selection.listeners.clone(),
            output_mark: mark.to_owned(),
        };
        let mut bytes = PREAMBLE.to_vec();
        Command::Configure(configuration).encode(&mut bytes);
        bytes
    }
}

impl Started {
    /// Waits until the runner is ready for its order.
    pub(super) fn get_ready(
        &mut self,
        options: &LocalOptions,
        interrupts: &[&Interrupt],
    ) -> Result<(), ExecError> {
        let deadline = Instant::now() + options.start_limit;
        let mut startup = Startup { ready: false, said: Kept::default() };
        while !startup.ready {
            match self.jvm.attend(Some(deadline), interrupts, &mut startup)? {
                Woken::Progress if Instant::now() < deadline => {}
                Woken::Gone(status) => {
                    return Err(ExecError::RunnerDied {
                        java: self.java.clone(),
                        ending: status.to_string(),
                        output: startup.said.into_text(),
                    });
                }
                Woken::Progress | Woken::Deadline => {
                    return Err(ExecError::RunnerSilent {
                        java: self.java.clone(),
                        after: options.start_limit,
                        output: startup.said.into_text(),
                    });
                }
            }
        }
        // What the VM itself said at its start belongs to no test.
        self.jvm.drain_output(&mut startup)
    }

    /// What it has traced, once it is gone; `None` if it was not asked to. A
    /// JVM that died before its agent began leaves a trace of nothing.
    pub(super) fn take_trace(&mut self) -> Result<Option<Vec<u8>>, ExecError> {
        let Some(path) = self.trace.take() else { return Ok(None) };
        let trace = match fs::read(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            read => read.map_err(|source| ExecError::Scratch { path, source })?,
        };
        match &self.watch {
            None => Ok(Some(trace)),
            Some(watch) => Ok(Some(with_outside(&trace, &watch.accesses()?))),
        }
    }

    /// Undoes what it did to files, if that was asked for; once it is gone, and
    /// after its trace was taken. Returns what it had left in temporary folders.
    pub(super) fn restore(&self) -> Result<Vec<Change>, ExecError> {
        self.watch.as_ref().map_or(Ok(Vec::new()), Watch::restore)
    }

    /// The list of loaded classes, once the JVM has ended as it should.
    pub(super) fn take_lesson(&mut self) -> Option<Lesson> {
        self.lesson.take()
    }
}

impl Lesson {
    /// Makes the archive. Takes seconds.
    pub(super) fn teach(mut self, interrupts: &[&Interrupt]) {
        self.finished = true;
        self.archive.learn(&self.class_list, interrupts);
    }
}

impl Drop for Lesson {
    fn drop(&mut self) {
        if !self.finished {
            self.archive.learned_nothing();
        }
    }
}

struct Startup {
    ready: bool,
    said: Kept,
}

impl Listener for Startup {
    fn event(&mut self, event: Event) -> Result<(), ExecError> {
        match event {
            Event::Hello { .. } => Ok(()),
            Event::Ready => {
                self.ready = true;
                Ok(())
            }
            Event::RunnerFailed { activity, failure } => {
                Err(ExecError::RunnerFailed { activity, failure })
            }
            _ => Err(Malformed("an event before the runner was ready").into()),
        }
    }

    fn output(&mut self, _: Stream, bytes: &[u8]) {
        let mut unlimited = usize::MAX;
        self.said.push(bytes, STARTUP_OUTPUT, &mut unlimited);
    }
}

/// Writes the runner jar to where it can stay: an archive fits only as long
/// as path and time stamp of the jar remain the same. Returns the cache folder
/// too if it can be written.
fn unpack_runner<'a>(
    cache: Option<&'a Path>,
    scratch: &Path,
) -> Result<(PathBuf, Option<&'a Path>), ExecError> {
    let bytes = residue_java::RUNNER_JAR;
    let name = format!("runner-{}.jar", &blake3::hash(bytes).to_hex()[..16]);
    if let Some(cache) = cache {
        let path = cache.join(&name);
        let there = fs::metadata(&path).is_ok_and(|metadata| metadata.len() == bytes.len() as u64);
        if there || write_whole(&path, bytes).is_ok() {
            return Ok((path, Some(cache)));
        }
    }
    let path = scratch.join(name);
    write_whole(&path, bytes)
        .map_err(|source| ExecError::Scratch { path: path.clone(), source })?;
    Ok((path, None))
}

pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    std::io::Write::write_all(&mut file, bytes)?;
    file.persist(path)?;
    Ok(())
}

/// The standard library seeds its hashers at random, which is enough here: no
/// test writes this by accident.
fn unguessable() -> String {
    let random = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", random(), random())
}
