//! Runs Java programs under the agent and reads their traces.

#![allow(dead_code, unreachable_pub)] // each test file uses its part
#![allow(clippy::print_stderr)] // to say what is not tried

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use residue_model::TestId;
use residue_model::trace::Trace;
use residue_wire::trace::TraceReader;
use tempfile::TempDir;

/// A JVM to try, with options.
#[derive(Debug, Clone)]
pub struct Jvm {
    pub java: PathBuf,
    pub version: u32,
    pub options: Vec<String>,
}

impl Jvm {
    pub fn with(&self, options: &[&str]) -> Self {
        let mut jvm = self.clone();
        jvm.options.extend(options.iter().map(|option| (*option).to_owned()));
        jvm
    }
}

/// The JVMs of this machine from 17 on: `JAVA_HOME` or the search path, those
/// in `/usr/lib/jvm`, and those that `RESIDUE_TEST_JVMS` lists (homes, with
/// colons between).
pub fn jvms() -> Vec<Jvm> {
    static FOUND: OnceLock<Vec<Jvm>> = OnceLock::new();
    FOUND.get_or_init(find_jvms).clone()
}

fn find_jvms() -> Vec<Jvm> {
    let mut javas = vec![jdk_tool("java")];
    let listed = std::env::var("RESIDUE_TEST_JVMS").unwrap_or_default();
    javas.extend(
        listed
            .split(':')
            .filter(|home| !home.is_empty())
            .map(|home| Path::new(home).join("bin/java")),
    );
    if let Ok(homes) = fs::read_dir("/usr/lib/jvm") {
        let mut homes: Vec<_> = homes.flatten().map(|home| home.path().join("bin/java")).collect();
        homes.sort();
        javas.extend(homes);
    }
    let mut jvms: Vec<Jvm> = Vec::new();
    for java in javas {
        let Some(version) = version(&java) else { continue };
        if version >= 17 && jvms.iter().all(|jvm| jvm.version != version) {
            jvms.push(Jvm { java, version, options: vec![] });
        }
    }
    assert!(!jvms.is_empty(), "tests need a JDK 17 or newer");
    for wanted in [17, 21, 25] {
        if jvms.iter().all(|jvm| jvm.version != wanted) {
            eprintln!("note: no JDK {wanted} here, so it is not tried");
        }
    }
    jvms
}

fn version(java: &Path) -> Option<u32> {
    let output =
        Command::new(java).arg("-XshowSettings:properties").arg("-version").output().ok()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let line =
        said.lines().find_map(|line| line.trim().strip_prefix("java.specification.version = "))?;
    line.parse().ok()
}

pub fn jdk_tool(name: &str) -> PathBuf {
    let in_java_home = std::env::var_os("JAVA_HOME").map(|h| Path::new(&h).join("bin").join(name));
    in_java_home.filter(|tool| tool.is_file()).unwrap_or_else(|| name.into())
}

/// The library that cargo has built for this test.
pub fn library() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let library = test.parent().unwrap().join("libresidue_agent.so");
    assert!(library.is_file(), "{} is missing", library.display());
    library
}

/// The hook classes in a folder, as the agent wants them.
pub fn hook() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in residue_java::HOOK_CLASSES {
            let file = folder.path().join(format!("{name}.class"));
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, bytes).unwrap();
        }
        folder
    });
    folder.path()
}

/// All of `tests/java`, compiled.
pub fn classes() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let sources = fs::read_dir(sources()).unwrap().flatten().map(|entry| entry.path());
        let mut command = Command::new(jdk_tool("javac"));
        command.args(["--release", "17", "-g", "-encoding", "UTF-8", "-proc:none", "-d"]);
        command.arg(folder.path()).args(sources);
        let output = command.output().expect("tests need a JDK (javac)");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        folder
    });
    folder.path()
}

pub fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java")
}

/// What a program said and what the agent saw.
pub struct Run {
    pub output: Output,
    pub trace: Vec<u8>,
}

/// Runs a class of `tests/java` under the agent.
pub fn run(jvm: &Jvm, agent_options: &str, arguments: &[&str]) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("trace");
    let agent = format!(
        "-agentpath:{}=out={},hook={}{agent_options}",
        library().display(),
        out.display(),
        hook().display()
    );
    let mut command = Command::new(&jvm.java);
    command.current_dir(folder.path()).arg(agent).args(&jvm.options);
    let output = command.arg("-cp").arg(classes()).args(arguments).output().unwrap();
    Run { output, trace: fs::read(out).unwrap_or_default() }
}

impl Run {
    /// The trace of a program that went well and said nothing.
    pub fn quiet(self, what: &str) -> Trace {
        self.was_quiet(what);
        self.read()
    }

    /// The same with the table of system properties, in which a walk over the
    /// heap sees nothing special.
    pub fn quiet_with_property_table(self, what: &str) -> Trace {
        self.was_quiet(what);
        self.reader().with_property_table().read(&order()).unwrap()
    }

    pub fn read(self) -> Trace {
        self.reader().read(&order()).unwrap()
    }

    fn reader(&self) -> TraceReader<'_> {
        TraceReader::new(&self.trace).with_contents()
    }

    fn was_quiet(&self, what: &str) {
        let Output { status, stdout, stderr } = &self.output;
        let said =
            format!("{}{}", String::from_utf8_lossy(stdout), String::from_utf8_lossy(stderr));
        assert!(status.success() && said.is_empty(), "{what}: {status}\n{said}");
    }
}

fn order() -> Vec<TestId> {
    (0..100).map(|n| format!("T#t{n}").parse().unwrap()).collect()
}
