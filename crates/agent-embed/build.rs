//! Builds the agent library, and the one that is preloaded, with a cargo of
//! their own.
//!
//! Cargo cannot embed one crate's library into another yet. The nested build
//! uses the same lock file and its own target folder, and works without a
//! network if the outer one does.

#![allow(clippy::print_stdout, clippy::print_stderr)] // a build script talks to cargo that way

use std::path::{Path, PathBuf};
use std::process::{Command, exit};
use std::{env, fs};

/// The two libraries and what they are made of.
const CRATES: [&str; 7] = ["agent", "classfile", "ignore", "interpose", "model", "outside", "wire"];

/// Crate, and the name under which it is embedded.
const LIBRARIES: [(&str, &str); 2] =
    [("agent", "agent-library"), ("interpose", "interpose-library")];

/// Set by the outer cargo for its own crates; they would change what is built.
const NOT_FOR_THE_LIBRARIES: [&str; 5] = [
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
    for (name, embedded) in LIBRARIES {
        // Offline first: what the outer build has downloaded is enough most of the time.
        let built = build(&crates.join(name), &target_folder, true)
            .or_else(|_| build(&crates.join(name), &target_folder, false));
        if let Err(output) = built {
            eprintln!("the {name} library could not be built:\n{output}");
            exit(1);
        }
        let library = library(name, &target_folder);
        if let Err(error) = fs::copy(&library, out.join(embedded)) {
            eprintln!("the {name} library is not at {}: {error}", library.display());
            exit(1);
        }
    }
}

fn build(folder: &Path, target_folder: &Path, offline: bool) -> Result<(), String> {
    let mut command = Command::new(variable("CARGO"));
    command.args(["build", "--release", "--lib", "--locked", "--manifest-path"]);
    command.arg(folder.join("Cargo.toml")).arg("--target-dir").arg(target_folder);
    if offline {
        command.arg("--offline");
    }
    if is_cross_build() {
        command.args(["--target", &variable("TARGET")]);
    }
    for name in NOT_FOR_THE_LIBRARIES {
        command.env_remove(name);
    }
    let output = command.output().map_err(|error| error.to_string())?;
    if output.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

fn library(name: &str, target_folder: &Path) -> PathBuf {
    let folder = if is_cross_build() {
        target_folder.join(variable("TARGET"))
    } else {
        target_folder.into()
    };
    let file = match variable("CARGO_CFG_TARGET_OS").as_str() {
        "macos" => format!("libresidue_{name}.dylib"),
        "windows" => format!("residue_{name}.dll"),
        _ => format!("libresidue_{name}.so"),
    };
    folder.join("release").join(file)
}

fn is_cross_build() -> bool {
    variable("TARGET") != variable("HOST")
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("cargo sets {name} for build scripts"))
}
