//! Watches what a JVM and its children do to files and sockets: gives them the
//! library that logs it, and reads the log when they are gone.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use residue_model::LaunchSpec;
use residue_model::trace::{Gap, GapKind, OutsideAccesses};
use residue_outside::environment::{LOG, PRELOAD};
use residue_outside::layout::{CAPACITY, RECORDS};
use residue_outside::{FileSystem, Log, Places, Rules, Saving, accesses, empty_log};

use super::changed_files::Change;
use super::jdk::Jdk;
use super::launcher::write_whole;
use super::restoring::Restoring;
use crate::ExecError;

/// In the JVM's private folder.
const LOG_FILE: &str = "outside";
const COPIES: &str = "copies";
const LIBRARY: &str = "libresidue_interpose.so";
const TEMP_OPTION: &str = "-Djava.io.tmpdir=";

/// The library, where the dynamic loader can find it.
#[derive(Debug)]
pub(super) struct Library(PathBuf);

impl Library {
    /// The loader takes neither spaces nor colons in the names of libraries, so
    /// it may have to be another folder than the one for everything else.
    pub(super) fn unpack(folder: &Path, scratch: &Path) -> Result<Self, ExecError> {
        let fits = |path: &&Path| !path.to_string_lossy().contains([' ', ':', '\t', '\n']);
        let folder = [folder, scratch].into_iter().find(fits).unwrap_or(folder);
        let path = folder.join(LIBRARY);
        let bytes = residue_agent_embed::INTERPOSE_LIBRARY;
        let is_there = fs::metadata(&path).is_ok_and(|file| file.len() == bytes.len() as u64);
        if !is_there {
            write_whole(&path, bytes)
                .map_err(|source| ExecError::Scratch { path: path.clone(), source })?;
        }
        Ok(Self(path))
    }
}

/// What is to be known about one JVM.
#[derive(Debug)]
pub(super) struct Watch {
    log: PathBuf,
    rules: Rules,
    places: Places,
    /// What the run does to files is to be undone.
    undoing: Option<Undoing>,
}

/// Where what a run does to files is undone.
#[derive(Debug)]
struct Undoing {
    /// Where copies are of what the run has changed.
    copies: PathBuf,
    /// Without links on the way.
    project: PathBuf,
    /// The temporary folder of the machine, and that of the build.
    temp: Vec<PathBuf>,
    /// Ours, which are gone after the run.
    except: Vec<PathBuf>,
}

impl Undoing {
    fn new(folder: &Path, scratch: &Path, places: &Places) -> Self {
        let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let temp = [std::env::temp_dir(), PathBuf::from(&places.temp)];
        Self {
            copies: folder.join(COPIES),
            project: PathBuf::from(&places.project),
            temp: temp.iter().map(|path| real(path)).collect(),
            except: vec![real(scratch)],
        }
    }

    fn saving(&self) -> Saving {
        let inside = |folder: &PathBuf| format!("{}/", folder.to_string_lossy());
        Saving {
            folder: self.copies.to_string_lossy().into_owned(),
            places: [&self.project].into_iter().chain(&self.temp).map(inside).collect(),
            except: self.except.iter().map(inside).collect(),
        }
    }
}

/// What a watch is for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Purpose<'a> {
    /// Rules about what matters, beyond the defaults.
    pub(super) rules: &'a str,
    /// Whether what the run does to files will be undone.
    pub(super) restore: bool,
    /// The folder of all private folders.
    pub(super) scratch: &'a Path,
}

impl Watch {
    /// Makes the log of a JVM with this private folder. Also returns the
    /// variables that the JVM needs in its environment.
    pub(super) fn prepare(
        library: &Library,
        folder: &Path,
        launch: &LaunchSpec,
        jdk: &Jdk,
        own: &[&Path],
        purpose: Purpose<'_>,
    ) -> Result<(Self, Vec<(OsString, OsString)>), ExecError> {
        let places = places(folder, launch, jdk, own);
        let real_places = real(&places);
        let undoing = purpose.restore.then(|| Undoing::new(folder, purpose.scratch, &real_places));
        let rules = Rules::new(purpose.rules, &real_places)?;
        let mut unwatched = Rules::new(purpose.rules, &places)?.unwatched_places();
        unwatched.extend(rules.unwatched_places());
        unwatched.sort_unstable();
        unwatched.dedup();
        let log = folder.join(LOG_FILE);
        let saving = undoing.as_ref().map(Undoing::saving);
        let made = undoing
            .as_ref()
            .map_or(Ok(()), |undoing| fs::create_dir(&undoing.copies))
            .and_then(|()| fs::write(&log, empty_log(&unwatched, saving.as_ref())))
            .and_then(|()| File::options().write(true).open(&log)?.set_len(CAPACITY as u64));
        made.map_err(|source| ExecError::Scratch { path: log.clone(), source })?;
        let mut preload = library.0.clone().into_os_string();
        if let Some(theirs) = preloaded_anyway(launch) {
            preload.push(":");
            preload.push(theirs);
        }
        let environment = vec![(PRELOAD.into(), preload), (LOG.into(), log.clone().into())];
        Ok((Self { log, rules, places: real_places, undoing }, environment))
    }

    /// What the JVM and its children did, once they are gone.
    pub(super) fn accesses(&self) -> Result<OutsideAccesses, ExecError> {
        let bytes = self
            .read_log()
            .map_err(|source| ExecError::Scratch { path: self.log.clone(), source })?;
        match Log::new(&bytes) {
            Ok(log) if log.jvm().is_some() => {
                Ok(accesses(&log, &self.rules, &self.places, &mut RealFileSystem))
            }
            _ => {
                let detail = "files and sockets: the JVM does not load libraries first";
                let gap = Gap { kind: GapKind::Other, detail: detail.into(), count: 1 };
                Ok(OutsideAccesses { gaps: vec![gap], ..OutsideAccesses::default() })
            }
        }
    }

    /// Undoes what the JVM and its children did to files, if that was asked
    /// for. To be done once they are gone. Returns what they had left in
    /// temporary folders; what they leave in the project others look for.
    pub(super) fn restore(&self) -> Result<Vec<Change>, ExecError> {
        let Some(undoing) = &self.undoing else { return Ok(Vec::new()) };
        let bytes = self
            .read_log()
            .map_err(|source| ExecError::Scratch { path: self.log.clone(), source })?;
        let Ok(log) = Log::new(&bytes) else { return Ok(Vec::new()) };
        let Undoing { copies, project, temp, except } = undoing;
        let folders: Vec<PathBuf> = [project].into_iter().chain(temp).cloned().collect();
        let undone = Restoring { folders: &folders, except, copies }.undo(&log);
        if let Some((path, source)) = undone.failures.into_iter().next() {
            return Err(ExecError::Restore { path, source });
        }
        let in_project = |change: &Change| Path::new(&change.path).starts_with(project);
        Ok(undone.changes.into_iter().filter(|change| !in_project(change)).collect())
    }

    /// Of the file only what was written: the rest is a hole.
    fn read_log(&self) -> std::io::Result<Vec<u8>> {
        let mut file = File::open(&self.log)?;
        let mut bytes = vec![0; RECORDS];
        file.read_exact(&mut bytes)?;
        let used = Log::used(&bytes).unwrap_or(0).min(CAPACITY as u64);
        file.take(used.saturating_sub(RECORDS as u64)).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

/// What the build, or the user, wants to have loaded first.
fn preloaded_anyway(launch: &LaunchSpec) -> Option<OsString> {
    let changed = launch.environment.iter().rev().find(|(name, _)| name == PRELOAD);
    let value = match changed {
        Some((_, value)) => value.clone().map(OsString::from),
        None => std::env::var_os(PRELOAD),
    };
    value.filter(|value| !value.is_empty())
}

fn places(folder: &Path, launch: &LaunchSpec, jdk: &Jdk, own: &[&Path]) -> Places {
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let java = fs::canonicalize(&jdk.java).unwrap_or_else(|_| jdk.java.clone());
    let temp = launch.jvm_args.iter().rev().find_map(|arg| arg.strip_prefix(TEMP_OPTION));
    let private = ["trace", LOG_FILE, COPIES, "events", "orders", "hs_err.log", "class-path.args"];
    Places {
        jdk: java.ancestors().nth(2).map(text).unwrap_or_default(),
        class_path: launch.class_path.iter().map(|path| text(path)).collect(),
        project: text(&launch.working_dir),
        temp: temp.map_or_else(|| text(&folder.join("tmp")), str::to_owned),
        home: std::env::var("HOME").unwrap_or_default(),
        own: own
            .iter()
            .map(|path| text(path))
            .chain(private.map(|n| text(&folder.join(n))))
            .collect(),
    }
}

/// The same places without links on the way.
fn real(places: &Places) -> Places {
    let real = |place: &String| match fs::canonicalize(place) {
        Ok(path) if !place.is_empty() => path.to_string_lossy().into_owned(),
        _ => place.clone(),
    };
    Places {
        jdk: real(&places.jdk),
        class_path: places.class_path.iter().map(real).collect(),
        project: real(&places.project),
        temp: real(&places.temp),
        home: real(&places.home),
        own: places.own.iter().map(real).collect(),
    }
}

struct RealFileSystem;

impl FileSystem for RealFileSystem {
    fn real_folder(&mut self, folder: &str) -> String {
        let folder = Path::new(folder);
        let existing =
            folder.ancestors().find_map(|part| Some((part, fs::canonicalize(part).ok()?)));
        let Some((part, real)) = existing else { return folder.to_string_lossy().into_owned() };
        let rest = folder.strip_prefix(part).unwrap_or(Path::new(""));
        real.join(rest).to_string_lossy().into_owned()
    }

    fn link_target(&mut self, path: &str) -> Option<String> {
        fs::read_link(path).ok().map(|target| target.to_string_lossy().into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_not_put_where_the_loader_cannot_find_it() {
        let folder = tempfile::tempdir().unwrap();
        let odd = folder.path().join("my project");
        let Library(path) = Library::unpack(&odd, folder.path()).unwrap();
        assert_eq!(path, folder.path().join(LIBRARY));
        let plain = folder.path().join("cache");
        let Library(path) = Library::unpack(&plain, folder.path()).unwrap();
        assert_eq!(path, plain.join(LIBRARY));
        assert_eq!(fs::read(path).unwrap(), residue_agent_embed::INTERPOSE_LIBRARY);
    }
}
