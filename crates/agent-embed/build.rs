//! Builds the agent library with a cargo of its own.
//!
//! Cargo cannot embed one crate's library into another yet. The nested build
//! uses the same lock file and its own target folder, and works without a
//! network if the outer one does.

#![allow(clippy::print_stdout, clippy::print_stderr)] // a build script talks to cargo that way

use std::path::{Path, PathBuf};
use std::process::{Command, exit};
use std::{env, fs};

/// The agent and what it is made of.
const CRATES: [&str; 5] = ["agent", "classfile", "ignore", "model", "wire"];

/// Set by the outer cargo for its own crates; they would change what is built.
const NOT_FOR_THE_AGENT: [&str; 5] = [
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTC_WRAPPER",
    "CARGO_ENCODED_RUSTFLAGS",
    "CARGO_BUILD_TARGET",
    "CARGO_TARGET_DIR",
];

fn main() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for name in CRATES {
        println!("cargo::rerun-if-changed={}", crates.join(name).join("src").display());
        println!("cargo::rerun-if-changed={}", crates.join(name).join("Cargo.toml").display());
    }
    println!("cargo::rerun-if-changed={}", crates.join("../Cargo.lock").display());
    let out = PathBuf::from(variable("OUT_DIR"));
    let target_folder = out.join("target");
    // Offline first: what the outer build has downloaded is enough most of the time.
    let built =
        build(&crates, &target_folder, true).or_else(|_| build(&crates, &target_folder, false));
    if let Err(output) = built {
        eprintln!("the agent library could not be built:\n{output}");
        exit(1);
    }
    let library = library(&target_folder);
    if let Err(error) = fs::copy(&library, out.join("agent-library")) {
        eprintln!("the agent library is not at {}: {error}", library.display());
        exit(1);
    }
}

fn build(crates: &Path, target_folder: &Path, offline: bool) -> Result<(), String> {
    let mut command = Command::new(variable("CARGO"));
    command.args(["build", "--release", "--lib", "--locked", "--manifest-path"]);
    command.arg(crates.join("agent/Cargo.toml")).arg("--target-dir").arg(target_folder);
    if offline {
        command.arg("--offline");
    }
    if is_cross_build() {
        command.args(["--target", &variable("TARGET")]);
    }
    for name in NOT_FOR_THE_AGENT {
        command.env_remove(name);
    }
    let output = command.output().map_err(|error| error.to_string())?;
    if output.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

fn library(target_folder: &Path) -> PathBuf {
    let folder = if is_cross_build() {
        target_folder.join(variable("TARGET"))
    } else {
        target_folder.into()
    };
    let name = match variable("CARGO_CFG_TARGET_OS").as_str() {
        "macos" => "libresidue_agent.dylib",
        "windows" => "residue_agent.dll",
        _ => "libresidue_agent.so",
    };
    folder.join("release").join(name)
}

fn is_cross_build() -> bool {
    variable("TARGET") != variable("HOST")
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("cargo sets {name} for build scripts"))
}
