//! Compiles the hook class as a part of `java.base`.
//!
//! It runs in JDKs from 11 on, so it is compiled to release 11 byte code, and
//! against stubs of the internal classes whose methods differ between JDKs. The
//! stubs are not embedded.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{jdk_tool, run, sources, unsafe_methods};

/// Compiles it and writes the Rust source that embeds its classes.
pub(crate) fn build(java_root: &Path, out: &Path) {
    let folder = out.join("hook");
    let _ = fs::remove_dir_all(&folder);
    let (generated, stubs, classes) =
        (folder.join("src"), folder.join("stubs"), folder.join("classes"));
    write(&generated.join("java/lang/ResidueUnsafe.java"), &unsafe_methods::hook_source());
    write(&stubs.join("jdk/internal/misc/Unsafe.java"), &unsafe_methods::stub_source());
    let roots = [java_root.join("hook/src"), java_root.join("stubs/hook"), generated, stubs];
    compile(&roots, &classes);
    write(&out.join("hook_classes.rs"), &embedding(&classes.join("java/lang")));
}

fn compile(roots: &[PathBuf], classes: &Path) {
    let patch = std::env::join_paths(roots).expect("a path for build output has no colon");
    let mut command = Command::new(jdk_tool("javac"));
    command.args(["-source", "11", "-target", "11", "-g", "-encoding", "UTF-8"]);
    command.args(["-Xlint:all,-options", "-Werror", "-proc:none"]);
    let patch = patch.to_string_lossy();
    command.arg(format!("--patch-module=java.base={patch}")).arg("-d").arg(classes);
    command.args(roots.iter().flat_map(|root| sources(root)));
    run(command);
}

fn embedding(folder: &Path) -> String {
    let entries = fs::read_dir(folder).expect("javac has made the folder");
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let mut text = String::from("&[\n");
    for file in files {
        let name = file.file_stem().expect("a class file has a name").to_string_lossy();
        let _ = writeln!(text, "(\"java/lang/{name}\", include_bytes!({:?})),", file.display());
    }
    text.push(']');
    text
}

fn write(file: &Path, text: &str) {
    let folder = file.parent().expect("files are in a folder");
    fs::create_dir_all(folder).expect("OUT_DIR is writable");
    fs::write(file, text).expect("OUT_DIR is writable");
}
