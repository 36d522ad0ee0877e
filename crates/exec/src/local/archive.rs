//! The class data archive (AppCDS) of a suite: the JDK's, the runner's and the
//! libraries' classes, parsed and laid out once instead of at each start.
//!
//! A static archive, made from the list of classes that the first run loaded:
//! it saves a third of the CPU time of a start on 17 and on 25. A dynamic
//! archive and the AOT cache of newer JDKs are recorded by the JVM itself, which
//! refuses while the class path has folders, and a suite's always has. It
//! only ever saves time: whatever goes wrong here means no archive.

use std::fs;
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use residue_model::SuiteSpec;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, PidfdFlags, Signal};

use super::class_list::{self, EDITION, LEFT_OUT};
use super::class_path::ClassPath;
use super::command_line::archive_options;
use super::jdk::Jdk;
use crate::Interrupt;

/// Static archives of application classes came with this JDK.
const FIRST_JDK: u32 = 11;
/// A run that dies teaches nothing, so another one may try.
const MOST_TRIES: u32 = 3;

#[derive(Debug)]
pub(super) struct Archive {
    file: PathBuf,
    /// Common to all archives of this suite, whatever its class path was.
    name_start: String,
    java: PathBuf,
    options: Vec<String>,
    jars: Vec<PathBuf>,
    class_path: std::ffi::OsString,
    state: Mutex<State>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Absent {
        tries: u32,
    },
    /// A JVM is writing down what it loads, or the archive is being made.
    InTheMaking {
        tries: u32,
    },
    Usable,
    /// It made JVMs crash.
    GivenUp,
}

/// What the next JVM can do about the archive.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Offer {
    Use(PathBuf),
    /// Write down which classes it loads, and tell by [`Archive::learn`] or
    /// [`Archive::learned_nothing`].
    Teach,
    Nothing,
}

impl Archive {
    pub(super) fn of(
        suite: &SuiteSpec,
        jdk: &Jdk,
        class_path: &ClassPath,
        runner: &Path,
        cache: &Path,
    ) -> Option<Self> {
        if !jdk.hotspot || jdk.feature < FIRST_JDK {
            return None;
        }
        let folder = cache.join("cds");
        fs::create_dir_all(&folder).ok()?;
        let options = archive_options(&suite.launch);
        let name_start = format!("{}-", &blake3::hash(suite.name.as_bytes()).to_hex()[..8]);
        let key = key(jdk, class_path, runner, &options)?;
        let file = folder.join(format!("{name_start}{key}.jsa"));
        let state = if mark_of_giving_up(&file).is_file() {
            State::GivenUp
        } else if file.is_file() {
            State::Usable
        } else {
            State::Absent { tries: 0 }
        };
        Some(Self {
            file,
            name_start,
            java: jdk.java.clone(),
            options,
            jars: class_path.archivable.clone(),
            class_path: class_path.archivable_with_runner(runner),
            state: Mutex::new(state),
        })
    }

    /// `may_teach`: whether the JVM loads what later ones will load.
    pub(super) fn offer(&self, may_teach: bool) -> Offer {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match *state {
            State::Usable => Offer::Use(self.file.clone()),
            State::Absent { tries } if may_teach && tries < MOST_TRIES => {
                *state = State::InTheMaking { tries: tries + 1 };
                Offer::Teach
            }
            _ => Offer::Nothing,
        }
    }

    /// Deletes it and sees to it that no process makes it again. Returns whether
    /// this is new.
    pub(super) fn give_up(&self) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = *state != State::GivenUp;
        *state = State::GivenUp;
        // Where the mark cannot be written, the next process finds out itself.
        let _ = fs::write(mark_of_giving_up(&self.file), "JVMs that used it crashed\n");
        let _ = fs::remove_file(&self.file);
        is_new
    }

    pub(super) fn is_given_up(&self) -> bool {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) == State::GivenUp
    }

    /// The teaching JVM ended in some other way than it should.
    pub(super) fn learned_nothing(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let State::InTheMaking { tries } = *state {
            *state = State::Absent { tries };
        }
    }

    /// Makes the archive from a list of classes; to be called on a thread of
    /// its own, since it takes seconds.
    pub(super) fn learn(&self, class_list: &Path, interrupts: &[&Interrupt]) {
        let made = self.make(class_list, interrupts).is_some();
        let _ = fs::remove_file(class_list);
        if made {
            *self.state.lock().unwrap_or_else(PoisonError::into_inner) = State::Usable;
        } else {
            self.learned_nothing();
        }
    }

    fn make(&self, class_list: &Path, interrupts: &[&Interrupt]) -> Option<()> {
        let folder = self.file.parent()?;
        let unfinished = tempfile::Builder::new().prefix("unfinished-").tempdir_in(folder).ok()?;
        let made = unfinished.path().join("archive");
        class_list::tidy(class_list, &self.jars)?;
        let mut command = Command::new(&self.java);
        command.arg("-Xshare:dump").arg("-Xlog:disable").args(&self.options);
        command.arg(with_path("-XX:SharedClassListFile=", class_list));
        command.arg(with_path("-XX:SharedArchiveFile=", &made));
        command.arg("-cp").arg(&self.class_path);
        // It writes crash reports to where it runs.
        command.current_dir(unfinished.path());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        succeeds(command, interrupts)?;
        // Another JVM must never see half an archive.
        fs::rename(&made, &self.file).ok()?;
        self.remove_older();
        Some(())
    }

    /// Archives of this suite for a JDK or class path of the past, and marks
    /// that such were given up.
    fn remove_older(&self) {
        let Some(entries) = self.file.parent().and_then(|folder| fs::read_dir(folder).ok()) else {
            return;
        };
        for entry in entries.flatten() {
            let ours = entry.file_name().to_string_lossy().starts_with(&self.name_start);
            if ours && entry.path() != self.file {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// Where it stands that an archive was given up. What belongs to another state
/// of the suite has another name.
fn mark_of_giving_up(archive: &Path) -> PathBuf {
    archive.with_extension("given-up")
}

fn with_path(option: &str, path: &Path) -> std::ffi::OsString {
    let mut option = std::ffi::OsString::from(option);
    option.push(path);
    option
}

/// Names exactly the files that HotSpot compares before it uses an archive, and
/// what is left out of it.
fn key(jdk: &Jdk, class_path: &ClassPath, runner: &Path, options: &[String]) -> Option<String> {
    let mut hasher = blake3::Hasher::new();
    let mut add = |part: &[u8]| {
        hasher.update(&part.len().to_le_bytes());
        hasher.update(part);
    };
    add(EDITION.as_bytes());
    LEFT_OUT.iter().for_each(|kind| add(kind.as_bytes()));
    add(jdk.identity.as_bytes());
    options.iter().for_each(|option| add(option.as_bytes()));
    for jar in std::iter::once(runner).chain(class_path.archivable.iter().map(PathBuf::as_path)) {
        let metadata = fs::metadata(jar).ok()?;
        add(jar.as_os_str().as_encoded_bytes());
        add(&metadata.len().to_le_bytes());
        add(&metadata.mtime().to_le_bytes());
    }
    Some(hasher.finalize().to_hex()[..16].to_owned())
}

/// Runs a command to its end, or kills it when somebody asks to stop.
fn succeeds(mut command: Command, interrupts: &[&Interrupt]) -> Option<()> {
    let mut child = command.process_group(0).spawn().ok()?;
    let pid = Pid::from_child(&child);
    if let Ok(pidfd) = rustix::process::pidfd_open(pid, PidfdFlags::empty()) {
        let mut fds = vec![PollFd::new(&pidfd, PollFlags::IN)];
        for interrupt in interrupts {
            fds.push(PollFd::from_borrowed_fd(interrupt.as_fd(), PollFlags::IN));
        }
        let ended = loop {
            match poll(&mut fds, None) {
                Ok(_) => break fds[0].revents().contains(PollFlags::IN),
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => break false,
            }
        };
        if !ended {
            let _ = rustix::process::kill_process_group(pid, Signal::KILL);
        }
    }
    child.wait().ok()?.success().then_some(())
}
