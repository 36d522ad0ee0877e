//! The command that starts a JVM under test.
//!
//! Our options come before the build's, and HotSpot lets the later one win, so
//! whatever the build says about the same thing stands.
//!
//! Deliberately absent: a choice of garbage collector. The serial one saves a
//! few milliseconds of CPU time at start but, measured over many starts, no
//! more than the spread between them, and it would change what tests see
//! (collector beans, when references are cleared).

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use residue_model::LaunchSpec;

use super::class_path::ClassPath;
use super::coverage_agent;
use super::durations::Length;
use super::jdk::Jdk;
use super::jvm::{EVENTS_FIFO, ORDERS_FIFO};
use crate::ExecError;

const MAIN_CLASS: &str = "residue.runner.Main";
/// Linux refuses a single argument of 128 KiB.
const LONGEST_ARGUMENT: usize = 100_000;

/// Where the VM writes its report when it crashes, in the JVM's folder.
pub(super) const ERROR_FILE: &str = "hs_err.log";

/// What is special about one JVM.
#[derive(Debug, Clone)]
pub(super) struct Traits {
    /// Of the order it will get, which decides about compilers.
    pub(super) length: Length,
    /// A class data archive to use.
    pub(super) archive: Option<PathBuf>,
    /// Where to write the names of the classes it loads.
    pub(super) class_list: Option<PathBuf>,
    /// The option that loads the tracing agent.
    pub(super) agent: Option<OsString>,
    /// Variables that only this JVM has in its environment.
    pub(super) environment: Vec<(OsString, OsString)>,
}

/// The command for a JVM whose private folder is `folder`.
pub(super) fn command(
    spec: &LaunchSpec,
    jdk: &Jdk,
    class_path: &ClassPath,
    runner: &Path,
    traits: &Traits,
    folder: &Path,
) -> Result<Command, ExecError> {
    let mut command = Command::new(&jdk.java);
    command.current_dir(&spec.working_dir);
    for (name, value) in &spec.environment {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.envs(traits.environment.iter().map(|(name, value)| (name, value)));
    let mut temp = OsString::from("-Djava.io.tmpdir=");
    temp.push(folder.join("tmp"));
    command.arg(temp);
    if jdk.hotspot {
        command.args(vm_options(jdk, traits, folder, &BuildOptions::of(spec)));
    }
    command.args(&traits.agent);
    for argument in &spec.jvm_args {
        command.arg(coverage_agent::writing_into(argument, folder).as_ref());
    }
    add_class_path(&mut command, class_path.with_runner(runner), jdk, folder)?;
    command.arg(MAIN_CLASS).arg(folder.join(ORDERS_FIFO)).arg(folder.join(EVENTS_FIFO));
    Ok(command)
}

fn vm_options(jdk: &Jdk, traits: &Traits, folder: &Path, build: &BuildOptions) -> Vec<OsString> {
    let with_path = |option: &str, path: &Path| {
        let mut option = OsString::from(option);
        option.push(path);
        option
    };
    let mut options = vec![
        // Otherwise the VM puts these into the project's own folder.
        with_path("-XX:ErrorFile=", &folder.join(ERROR_FILE)),
        with_path("-XX:ReplayDataFile=", &folder.join("replay.log")),
        with_path("-XX:HeapDumpPath=", folder),
        // A file that only monitoring tools read, and a place where VMs meet.
        "-XX:-UsePerfData".into(),
    ];
    if !build.chooses_compilers() {
        options.extend(compiler_options(traits.length).iter().map(OsString::from));
    }
    if jdk.feature >= 11 && !build.chooses_sharing() {
        options.push("-Xshare:auto".into());
        // An archive that does not fit is not worth a word on the tests' stdout.
        options.push("-Xlog:cds*=off".into());
        if jdk.feature >= 25 {
            options.push("-Xlog:aot*=off".into());
        }
        if let Some(archive) = &traits.archive {
            options.push(with_path("-XX:SharedArchiveFile=", archive));
            if jdk.feature >= 17 {
                options.extend(FIXED_PLACE.map(OsString::from));
            }
        } else if let Some(list) = &traits.class_list {
            options.push(with_path("-XX:DumpLoadedClassList=", list));
        }
    }
    options
}

/// Puts the archive where it was made for. At a random address, which newer
/// JDKs choose against attackers, every page of it has to be rewritten and so
/// copied first. Java code cannot see where the data of its classes is.
const FIXED_PLACE: [&str; 2] = ["-XX:+UnlockDiagnosticVMOptions", "-XX:ArchiveRelocationMode=0"];

/// When code is compiled, and by which compiler, decides how fast it runs and
/// nothing else that it could tell. In a JVM that runs one test, a fourth of
/// the CPU time went into compiling what start-up calls a few hundred times.
/// Waiting longer made one of three whole suites, of 4 s, a tenth slower
/// or more, so only brief orders wait.
fn compiler_options(length: Length) -> &'static [&'static str] {
    match length {
        Length::Brief => &["-XX:TieredStopAtLevel=1", "-XX:CompileThresholdScaling=5"],
        Length::Short => &["-XX:TieredStopAtLevel=1"],
        Length::Long => &[],
    }
}

/// Options for making an archive that fits this JVM: one made with another
/// collector or object layout would not.
pub(super) fn archive_options(spec: &LaunchSpec) -> Vec<String> {
    let decides_layout = |option: &&String| {
        let Some(flag) = option.strip_prefix("-XX:") else { return false };
        flag.starts_with("ObjectAlignmentInBytes=")
            || flag.strip_prefix(['+', '-']).is_some_and(|name| {
                name.starts_with("Use") && (name.ends_with("GC") || name.contains("Compressed"))
            })
    };
    spec.jvm_args.iter().filter(decides_layout).cloned().collect()
}

fn add_class_path(
    command: &mut Command,
    class_path: OsString,
    jdk: &Jdk,
    folder: &Path,
) -> Result<(), ExecError> {
    if class_path.len() < LONGEST_ARGUMENT || jdk.feature < 9 {
        command.arg("-cp").arg(class_path);
        return Ok(());
    }
    let path = folder.join("class-path.args");
    let quoted = class_path.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
    fs::write(&path, format!("-cp \"{quoted}\"\n"))
        .map_err(|source| ExecError::Scratch { path: path.clone(), source })?;
    let mut argument = OsString::from("@");
    argument.push(path);
    command.arg(argument);
    Ok(())
}

/// Everything the build tells the VM, also by way of the environment.
struct BuildOptions(Vec<String>);

impl BuildOptions {
    fn of(spec: &LaunchSpec) -> Self {
        let mut options = spec.jvm_args.clone();
        for name in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"] {
            let changed = spec.environment.iter().rev().find(|(changed, _)| changed == name);
            let value = match changed {
                Some((_, value)) => value.clone(),
                None => std::env::var(name).ok(),
            };
            options.extend(value.iter().flat_map(|v| v.split_whitespace()).map(str::to_owned));
        }
        Self(options)
    }

    fn mentions(&self, words: &[&str]) -> bool {
        self.0.iter().any(|option| words.iter().any(|word| option.contains(word)))
    }

    fn chooses_compilers(&self) -> bool {
        let modes = ["-Xint", "-Xcomp", "-Xmixed", "CompilationMode", "JVMCI"];
        self.mentions(&modes) || self.mentions(&["Tiered", "CompileThreshold"])
    }

    fn chooses_sharing(&self) -> bool {
        self.mentions(&["-Xshare", "SharedArchive", "ArchiveClasses", "DumpLoadedClassList", "AOT"])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(jvm_args: &[&str]) -> LaunchSpec {
        LaunchSpec {
            java: "java".into(),
            class_path: vec![],
            jvm_args: jvm_args.iter().map(|&arg| arg.to_owned()).collect(),
            system_properties: vec![],
            environment: vec![],
            working_dir: "/".into(),
        }
    }

    fn arguments(jvm_args: &[&str], feature: u32) -> Vec<String> {
        let jdk = Jdk { java: "java".into(), feature, hotspot: true, identity: String::new() };
        let traits = Traits {
            length: Length::Brief,
            archive: Some("/cache/a.jsa".into()),
            class_list: None,
            agent: None,
            environment: vec![],
        };
        let class_path = ClassPath { original: vec![], archivable: vec![], rest: vec![] };
        let runner = Path::new("/runner.jar");
        let spec = spec(jvm_args);
        let command =
            command(&spec, &jdk, &class_path, runner, &traits, Path::new("/scratch")).unwrap();
        command.get_args().map(|arg| arg.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn the_builds_own_options_come_last_and_so_win() {
        let arguments = arguments(&["-Djava.io.tmpdir=/theirs", "-XX:ErrorFile=/theirs"], 17);
        let last = |prefix: &str| arguments.iter().rfind(|a| a.starts_with(prefix)).unwrap();
        assert_eq!(last("-Djava.io.tmpdir="), "-Djava.io.tmpdir=/theirs");
        assert_eq!(last("-XX:ErrorFile="), "-XX:ErrorFile=/theirs");
    }

    #[test]
    fn a_build_that_chooses_compilers_or_sharing_is_left_alone() {
        let has = |arguments: &[String], word: &str| arguments.iter().any(|a| a.contains(word));
        assert!(has(&arguments(&[], 17), "TieredStopAtLevel"));
        assert!(!has(&arguments(&["-XX:-TieredCompilation"], 17), "TieredStopAtLevel"));
        assert!(has(&arguments(&[], 17), "ThresholdScaling"));
        assert!(!has(&arguments(&["-XX:-TieredCompilation"], 17), "ThresholdScaling"));
        assert!(has(&arguments(&[], 17), "SharedArchiveFile"));
        assert!(!has(&arguments(&["-Xshare:off"], 17), "SharedArchiveFile"));
    }

    #[test]
    fn java_8_gets_no_option_it_does_not_know() {
        let arguments = arguments(&[], 8);
        assert!(!arguments.iter().any(|a| a.starts_with("-Xlog") || a.contains("Archive")));
    }

    #[test]
    fn options_that_shape_the_heap_go_to_the_archive_too() {
        let spec = spec(&["-Xmx1g", "-XX:+UseZGC", "-XX:-UseCompressedOops", "-Da=UseGC"]);
        assert_eq!(archive_options(&spec), ["-XX:+UseZGC", "-XX:-UseCompressedOops"]);
    }
}
