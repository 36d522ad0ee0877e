//! Real programs with the library loaded first: what they do is in the log,
//! and they do not notice.

#![allow(clippy::unwrap_used)] // in a test, to panic is to fail
#![allow(unsafe_code)] // a program calls the C library

use std::ffi::{CStr, c_char};
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use residue_outside::environment::{EPOCH, LOG, PRELOAD};
use residue_outside::layout::{CAPACITY, RECORDS};
use residue_outside::{EventKind, Log, empty_log};
use tempfile::TempDir;

/// Cargo puts the library beside its tests.
fn library() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let beside = tests.with_file_name("libresidue_interpose.so");
    assert!(beside.is_file(), "{} is missing", beside.display());
    beside
}

struct Watched {
    folder: TempDir,
    log: PathBuf,
}

impl Watched {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        fs::write(&log, empty_log(&["/usr/".into(), "/etc/".into(), "/proc/".into()], None))
            .unwrap();
        File::options().write(true).open(&log).unwrap().set_len(CAPACITY as u64).unwrap();
        fs::create_dir(folder.path().join("work")).unwrap();
        Self { folder, log }
    }

    fn work(&self) -> PathBuf {
        self.folder.path().join("work").canonicalize().unwrap()
    }

    fn command(&self, script: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]).current_dir(self.work());
        command.env(PRELOAD, library()).env(LOG, &self.log);
        command
    }

    fn run(&self, script: &str) -> Output {
        self.command(script).output().unwrap()
    }

    /// Of the log only what was written: the rest is a hole.
    fn log(&self) -> Vec<u8> {
        let mut file = File::open(&self.log).unwrap();
        let mut bytes = vec![0; RECORDS];
        file.read_exact(&mut bytes).unwrap();
        let used = Log::used(&bytes).unwrap();
        file.take(used - RECORDS as u64).read_to_end(&mut bytes).unwrap();
        bytes
    }

    /// Kinds of events about names in the working folder, and the names.
    fn seen(&self) -> Vec<(EventKind, String)> {
        let bytes = self.log();
        let work = format!("{}/", self.work().display());
        let log = Log::new(&bytes).unwrap();
        let about = log.events().filter_map(|event| {
            let name = String::from_utf8(event.text.into_owned()).ok()?;
            Some((event.kind, name.strip_prefix(&work)?.to_owned()))
        });
        about.collect()
    }

    #[track_caller]
    fn must_have_seen(&self, kind: EventKind, name: &str) {
        let seen = self.seen();
        assert!(seen.contains(&(kind, name.into())), "{kind:?} {name} is missing in {seen:#?}");
    }
}

#[test]
fn what_programs_do_to_names_is_logged() {
    let watched = Watched::new();
    let script = "echo a > one; mv one two; ln two three; ln -s two four; cat missing; mkdir box; \
                  ls box; rm two; rmdir box; chmod 600 three";
    watched.run(script);
    use EventKind::{Link, List, Make, Missing, Open, Remove, Rename, WriteMetadata};
    for (kind, name) in [
        (Open, "one"),
        (Rename, "one"),
        (Link, "two"),
        (Make, "four"),
        (Missing, "missing"),
        (Make, "box"),
        (List, "box"),
        (Remove, "two"),
        (Remove, "box"),
        (WriteMetadata, "three"),
    ] {
        watched.must_have_seen(kind, name);
    }
}

#[test]
fn programs_see_the_same_as_without_us() {
    let watched = Watched::new();
    let script = "cat nowhere; echo $?; rmdir .; ls -la /proc/self/fd | wc -l; env | grep -c -E \
                  'PRELOAD|RESIDUE'; echo done";
    let plain = Command::new("/bin/sh").args(["-c", script]).current_dir(watched.work()).output();
    let (plain, watched) = (plain.unwrap(), watched.run(script));
    assert_eq!(String::from_utf8_lossy(&watched.stdout), String::from_utf8_lossy(&plain.stdout));
    assert_eq!(String::from_utf8_lossy(&watched.stderr), String::from_utf8_lossy(&plain.stderr));
}

#[test]
fn libraries_that_others_want_first_stay_in_the_environment() {
    let watched = Watched::new();
    let mut command = watched.command("echo $LD_PRELOAD");
    command.env(PRELOAD, format!("{}:/no/such/library.so", library().display()));
    let said = String::from_utf8(command.output().unwrap().stdout).unwrap();
    assert_eq!(said, "/no/such/library.so\n");
}

#[test]
fn a_program_that_is_killed_leaves_what_it_did() {
    let watched = Watched::new();
    watched.run("echo a > before; kill -9 $$");
    watched.must_have_seen(EventKind::Open, "before");
}

#[test]
fn children_belong_to_the_epoch_that_started_their_parent() {
    let watched = Watched::new();
    watched.command("/bin/sh -c 'touch deep'").env(EPOCH, "7").output().unwrap();
    let bytes = watched.log();
    let log = Log::new(&bytes).unwrap();
    let touched = log.events().find(|event| event.text.ends_with(b"/work/deep")).unwrap();
    assert_eq!(touched.epoch, 7);
    assert_eq!(log.jvm(), None, "a child is not the JVM");
}

#[test]
fn a_program_that_cannot_load_us_is_named() {
    let watched = Watched::new();
    let path = watched.work().join("static");
    static_program(&path);
    watched.run("./static");
    let bytes = watched.log();
    let log = Log::new(&bytes).unwrap();
    let unseen = log.events().find(|event| event.kind == EventKind::UnseenProgram).unwrap();
    assert_eq!(
        (&*unseen.text, &*unseen.second),
        (&b"./static"[..], &b"it is linked statically"[..])
    );
}

/// An executable of this machine without a loader, which the kernel need not
/// be able to run.
fn static_program(path: &Path) {
    let mut header = fs::read(std::env::current_exe().unwrap()).unwrap()[..64].to_vec();
    header[56..58].fill(0);
    header.resize(128, 0);
    fs::write(path, header).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Started by the next test: becomes another program in each of three ways.
#[test]
#[ignore = "ends as another program"]
fn becomes_a_shell() {
    let script = c"echo x > \"by-$7\"";
    let (shell, path) = (c"sh".as_ptr(), c"/bin/sh".as_ptr());
    let (option, text, end) = (c"-c".as_ptr(), script.as_ptr(), std::ptr::null::<c_char>());
    let fill = [c"a", c"b", c"c", c"d", c"e", c"f", c"g"].map(CStr::as_ptr);
    let [a, b, c, d, e, f, g] = fill;
    let environment = [c"GIVEN=1".as_ptr(), std::ptr::null()];
    // SAFETY: texts that end with zero bytes, and a null at the end.
    unsafe {
        match std::env::var("CALL").unwrap().as_str() {
            "execl" => {
                libc::execl(path, shell, option, text, a, b, c, d, e, f, g, c"execl".as_ptr(), end)
            }
            "execlp" => libc::execlp(
                shell,
                shell,
                option,
                text,
                a,
                b,
                c,
                d,
                e,
                f,
                g,
                c"execlp".as_ptr(),
                end,
            ),
            _ => {
                let script = c"echo $GIVEN > by-execle".as_ptr();
                libc::execle(path, shell, option, script, end, environment.as_ptr())
            }
        }
    };
    panic!("it did not work: {}", std::io::Error::last_os_error());
}

#[test]
fn programs_whose_arguments_come_one_by_one_are_seen() {
    for call in ["execl", "execlp", "execle"] {
        let watched = Watched::new();
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--ignored", "--exact", "becomes_a_shell"]).current_dir(watched.work());
        command.env(PRELOAD, library()).env(LOG, &watched.log).env("CALL", call);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{call}: {output:?}");
        watched.must_have_seen(EventKind::Open, &format!("by-{call}"));
    }
}
