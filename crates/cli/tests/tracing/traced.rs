//! What `residue trace` said about a suite.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::claims::Claims;
use super::common::{Subject, said};

#[derive(Debug, Default)]
pub struct Traced {
    pub run: String,
    /// Reader, writer, paths.
    pub reads: BTreeMap<String, BTreeMap<String, BTreeSet<String>>>,
    overwrites: BTreeSet<(String, String)>,
    writes_after_read: BTreeSet<(String, String)>,
    outcomes_that_differ: usize,
    gaps: Vec<Value>,
    /// By reader, writer and path.
    pub places: BTreeMap<(String, String, String), Places>,
}

/// Source files that the stack of the write and of the read go through.
#[derive(Debug, Default)]
pub struct Places {
    pub written: Vec<String>,
    pub read: Vec<String>,
}

impl Traced {
    pub fn of(subject: &Subject, args: &[&str]) -> Self {
        Self::from(subject.command("trace", args))
    }

    pub fn with_jvm(subject: &Subject, home: &Path, options: &str, args: &[&str]) -> Self {
        let mut command = subject.command("trace", &["--java-home", home.to_str().unwrap()]);
        command.args(args).env("JDK_JAVA_OPTIONS", options);
        Self::from(command)
    }

    fn from(mut command: Command) -> Self {
        let said = said(command.args(["--json", "-"]).output().unwrap());
        assert_eq!(said.code, 0, "{}", said.stderr);
        let document: Value = serde_json::from_str(&said.stdout).unwrap();
        let trace = &document["traces"][0];
        let name = |test: &Value| {
            trace["tests"][test.as_u64().unwrap() as usize].as_str().unwrap().to_owned()
        };
        let mut traced = Self {
            run: trace["run"].as_str().unwrap().to_owned(),
            outcomes_that_differ: trace["differences"].as_array().unwrap().len(),
            gaps: trace["gaps"].as_array().unwrap().clone(),
            ..Self::default()
        };
        for dependency in trace["dependencies"].as_array().unwrap() {
            let pair = (name(&dependency["later"]), name(&dependency["earlier"]));
            match dependency["kind"].as_str().unwrap() {
                "read-after-write" => {
                    for flow in dependency["flows"].as_array().unwrap() {
                        let location = flow["location"].as_u64().unwrap() as usize;
                        let path = trace["locations"][location]["path"].as_str().unwrap();
                        let places = Places {
                            written: files(trace, &flow["earlier_stack"]),
                            read: files(trace, &flow["later_stack"]),
                        };
                        let (reader, writer) = pair.clone();
                        traced.places.insert((reader, writer, path.into()), places);
                        let of_reader = traced.reads.entry(pair.0.clone()).or_default();
                        of_reader.entry(pair.1.clone()).or_default().insert(path.into());
                    }
                }
                "write-after-write" => _ = traced.overwrites.insert(pair),
                "write-after-read" => _ = traced.writes_after_read.insert(pair),
                other => panic!("unknown kind {other}"),
            }
        }
        traced
    }

    /// How often something of this kind could not be observed.
    pub fn gaps(&self, kind: &str) -> u64 {
        let of_kind = self.gaps.iter().filter(|gap| gap["kind"] == kind);
        of_kind.map(|gap| gap["count"].as_u64().unwrap()).sum()
    }

    #[track_caller]
    pub fn must_have_the_reads_of(&self, claims: &Claims) {
        let missing = self.missing_reads(claims);
        assert!(missing.is_empty(), "{}\ngaps: {:?}", missing.join("\n"), self.gaps);
        assert_eq!(self.outcomes_that_differ, 0, "the agent changed outcomes");
    }

    fn missing_reads(&self, claims: &Claims) -> Vec<String> {
        let mut missing = Vec::new();
        for (reader, writers) in &claims.reads {
            for (writer, beginnings) in writers {
                let paths = self.reads.get(reader).and_then(|seen| seen.get(writer));
                for beginning in beginnings {
                    if !paths
                        .is_some_and(|seen| seen.iter().any(|path| path.starts_with(beginning)))
                    {
                        missing.push(format!(
                            "{reader} <- {writer} through {beginning}: got {paths:?}"
                        ));
                    }
                }
            }
        }
        missing
    }

    #[track_caller]
    pub fn must_be(&self, claims: &Claims) {
        let mut wrong = self.missing_reads(claims);
        for (reader, writers) in &self.reads {
            for (writer, paths) in writers {
                if claims.reads.get(reader).is_none_or(|claimed| !claimed.contains_key(writer)) {
                    wrong.push(format!("{reader} <- {writer} is not claimed: {paths:?}"));
                }
            }
        }
        let others = [
            (&claims.overwrites, &self.overwrites),
            (&claims.writes_after_read, &self.writes_after_read),
        ];
        for (claimed, seen) in others {
            let missing = claimed.iter().filter(|pair| !seen.contains(*pair));
            wrong.extend(missing.map(|pair| format!("missing: {pair:?}")));
        }
        assert!(wrong.is_empty(), "{}\ngaps: {:?}", wrong.join("\n"), self.gaps);
        assert_eq!(self.outcomes_that_differ, 0, "the agent changed outcomes");
    }
}

/// The source files that a stack goes through; none without a stack.
fn files(trace: &Value, stack: &Value) -> Vec<String> {
    let Some(stack) = stack.as_u64() else { return Vec::new() };
    let frames = trace["stacks"][stack as usize].as_array().unwrap().iter();
    frames.filter_map(|frame| frame["file"].as_str().map(str::to_owned)).collect()
}
