//! Compiles each Java part with the JDK's own `javac` to release 8 byte code
//! and packs it into a jar, so that suites on old class paths run too. The hook
//! is a part of the JDK's own module instead, see `build/hook.rs`.

#![allow(clippy::print_stdout, clippy::print_stderr)] // a build script talks to cargo that way

#[path = "build/hook.rs"]
mod hook;
#[path = "build/unsafe_methods.rs"]
mod unsafe_methods;

use std::path::{Path, PathBuf};
use std::process::{Command, exit};
use std::{env, fs};

/// Folder below `java/` -> the jar it becomes. Each folder has `src/` and may
/// have `resources/`; `java/stubs/<folder>` is on the class path of `javac`
/// only.
const PARTS: [&str; 2] = ["runner", "maven-probe"];

const MISSING_JDK: &str =
    "residue needs a JDK (17 or newer) to build its Java parts, and no javac was found.
  Debian/Ubuntu: apt-get install openjdk-17-jdk-headless
  Elsewhere:     install a JDK and set JAVA_HOME to it";

fn main() {
    println!("cargo::rerun-if-env-changed=JAVA_HOME");
    let java_root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../java");
    println!("cargo::rerun-if-changed={}", java_root.display());
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    for part in PARTS {
        let classes = out.join(part);
        let _ = fs::remove_dir_all(&classes);
        compile(&java_root, part, &classes);
        pack(&java_root, part, &classes, &out.join(format!("{part}.jar")));
    }
    hook::build(&java_root, &out);
}

fn compile(java_root: &Path, part: &str, classes: &Path) {
    let stubs = java_root.join("stubs").join(part);
    let stub_classes = classes.with_file_name(format!("{part}-stubs"));
    let _ = fs::remove_dir_all(&stub_classes);
    fs::create_dir_all(&stub_classes).expect("OUT_DIR is writable");
    if stubs.is_dir() {
        javac(&[], &sources(&stubs), &stub_classes);
    }
    let class_path = stub_classes.display().to_string();
    let sources = sources(&java_root.join(part).join("src"));
    javac(&["-cp", &class_path], &sources, classes);
}

fn javac(extra: &[&str], sources: &[PathBuf], into: &Path) {
    fs::create_dir_all(into).expect("OUT_DIR is writable");
    let mut command = Command::new(jdk_tool("javac"));
    // Release 8 is deprecated in new JDKs, which is known and wanted here.
    command.args(["--release", "8", "-g", "-encoding", "UTF-8", "-Xlint:all,-options", "-Werror"]);
    command.args(["-proc:none", "-d"]).arg(into).args(extra).args(sources);
    run(command);
}

fn pack(java_root: &Path, part: &str, classes: &Path, jar: &Path) {
    let mut command = Command::new(jdk_tool("jar"));
    // A fixed date keeps the embedded bytes, and so the binary, reproducible.
    command.args(["--create", "--date=2026-01-01T00:00:00Z"]);
    // Nothing would stand in it, and each JVM that opens the jar would read it.
    command.args(["--no-manifest", "--file"]).arg(jar);
    command.arg("-C").arg(classes).arg(".");
    let resources = java_root.join(part).join("resources");
    if resources.is_dir() {
        command.arg("-C").arg(resources).arg(".");
    }
    run(command);
}

fn run(mut command: Command) {
    let shown = command.get_program().to_string_lossy().into_owned();
    match command.output() {
        Ok(output) if output.status.success() => {}
        Ok(output) => fail(&format!(
            "{shown} failed:\n{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )),
        Err(error) => fail(&format!("{MISSING_JDK}\n  (could not start {shown}: {error})")),
    }
}

fn fail(message: &str) -> ! {
    eprintln!("{message}");
    exit(1)
}

/// `JAVA_HOME` first, as every Java build does, then the search path.
fn jdk_tool(name: &str) -> PathBuf {
    let in_java_home = env::var_os("JAVA_HOME").map(|home| Path::new(&home).join("bin").join(name));
    in_java_home.filter(|tool| tool.is_file()).unwrap_or_else(|| name.into())
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "java") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
