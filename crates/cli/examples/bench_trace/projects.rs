//! Checked-out Maven projects, one a sub-folder. Arguments that a project's
//! build needs stand in FOLDER/NAME.args, one a line; a first line `dir=SUB` names
//! the folder below the project that has the pom.xml.

use std::fs;
use std::path::{Path, PathBuf};

use residue_discover::{DiscoverRequest, discover};
use residue_model::SuiteSpec;

use crate::figures::Line;
use crate::pollution;
use crate::runs::Runs;
use crate::suites::{self, Measured};

struct Checkout {
    name: String,
    folder: PathBuf,
    build_args: Vec<String>,
}

pub(crate) fn measure(folder: &Path, names: &[String], rounds: usize) -> Vec<Measured> {
    let checkouts = checkouts(folder, names);
    assert!(!checkouts.is_empty(), "{} holds none of the Maven projects", folder.display());
    suites::print_heading("checked-out projects");
    checkouts.iter().flat_map(|checkout| one(checkout, rounds)).collect()
}

fn checkouts(folder: &Path, names: &[String]) -> Vec<Checkout> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let found = entries.flatten().map(|entry| Checkout::at(&entry.path()));
    let mut checkouts: Vec<_> = found
        .filter(|one| one.folder.join("pom.xml").is_file())
        .filter(|one| names.is_empty() || names.contains(&one.name))
        .collect();
    checkouts.sort_by(|one, other| one.name.cmp(&other.name));
    checkouts
}

impl Checkout {
    fn at(path: &Path) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(path.with_file_name(format!("{name}.args")));
        let mut lines: Vec<String> = text.unwrap_or_default().lines().map(str::to_owned).collect();
        lines.retain(|line| !line.trim().is_empty());
        let below = lines.first().and_then(|line| line.strip_prefix("dir=")).map(|d| path.join(d));
        if below.is_some() {
            lines.remove(0);
        }
        Self { name, folder: below.unwrap_or_else(|| path.into()), build_args: lines }
    }

    /// The suites of the project with their names.
    fn suites(&self) -> Vec<(String, SuiteSpec)> {
        let request = DiscoverRequest {
            project: self.folder.clone(),
            build_args: self.build_args.clone(),
            ..DiscoverRequest::default()
        };
        let found = discover(&request, &mut |_| {}).unwrap_or_else(|error| panic!("{error}"));
        let several = found.project.suites.len() > 1;
        let named = |spec: SuiteSpec| {
            let module = if several { format!(" {}", spec.name) } else { String::new() };
            (format!("{}{module}", self.name), spec)
        };
        found.project.suites.into_iter().map(named).collect()
    }
}

fn one(checkout: &Checkout, rounds: usize) -> Vec<Measured> {
    let measure = |(name, spec): &(String, SuiteSpec)| {
        suites::measure(name, &mut Runs::of(spec, "", |_| true), rounds)
    };
    checkout.suites().iter().map(measure).collect()
}

/// What looking for pollution costs, over plain runs and over tracing alone.
pub(crate) fn measure_pollution(folder: &Path, names: &[String], rounds: usize) -> [Line; 2] {
    pollution::print_heading();
    let checkouts = checkouts(folder, names);
    let suites = checkouts.iter().flat_map(Checkout::suites);
    let measured: Vec<_> =
        suites.map(|(name, spec)| pollution::measure(&name, &spec, rounds)).collect();
    pollution::compare_with_poldet(&measured)
}
