//! `residue select` and `residue detect --since` in a git repository whose code
//! changes. See `fixtures/changing`.

#![allow(clippy::unwrap_used)] // in a test, to panic is to fail
#![allow(unreachable_pub)] // nobody else uses the modules of a test

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{Said, residue, said};
use residue_test_support::{JUNIT4, jars};

const BILLS: &str = "shop.BillTest#bills";
const GREETS: &str = "shop.NamesTest#greets";
const OPENS: &str = "shop.ATillTest#opens";

/// A repository with the fixture in it, committed and compiled.
struct Repository {
    folder: tempfile::TempDir,
    jars: Vec<PathBuf>,
}

impl Repository {
    fn new() -> Self {
        let repository = Self { folder: tempfile::tempdir().unwrap(), jars: jars(JUNIT4) };
        let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/changing/src");
        for source in fs::read_dir(fixture.join("shop")).unwrap() {
            let source = source.unwrap();
            let name = format!("src/shop/{}", source.file_name().to_str().unwrap());
            repository.write(&name, &fs::read_to_string(source.path()).unwrap());
        }
        repository.write(".gitignore", "/out/\n/.residue/\n");
        repository.write("README.md", "A shop.\n");
        repository.git(&["init", "--quiet"]);
        repository.git(&["add", "--all"]);
        let author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
        repository.git(&[&author[..], &["commit", "--quiet", "--message", "shop"]].concat());
        repository.compile();
        repository
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        fs::create_dir_all(self.path(path).parent().unwrap()).unwrap();
        fs::write(self.path(path), text).unwrap();
    }

    fn change(&self, path: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.path(path)).unwrap();
        assert!(text.contains(from), "{text}");
        self.write(path, &text.replace(from, to));
        self.compile();
    }

    fn git(&self, args: &[&str]) {
        let output = Command::new("git").arg("-C").arg(self.folder.path()).args(args).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{args:?}: {output:?}");
    }

    fn compile(&self) {
        let _ = fs::remove_dir_all(self.path("out"));
        let sources = fs::read_dir(self.path("src/shop")).unwrap();
        let sources = sources.map(|source| source.unwrap().path());
        let mut javac = Command::new("javac");
        javac.args(["--release", "8", "-Xlint:-options", "-proc:none", "-g"]);
        javac.arg("-cp").arg(std::env::join_paths(&self.jars).unwrap());
        javac.arg("-d").arg(self.path("out")).args(sources);
        let output = javac.output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }

    fn run(&self, command: &str, args: &[&str]) -> Said {
        let class_path = [self.path("out")].into_iter().chain(self.jars.clone());
        let mut residue = residue();
        residue.arg(command).args(args).arg(self.folder.path());
        residue.arg("--classpath").arg(std::env::join_paths(class_path).unwrap());
        residue.arg("--test-classes").arg(self.path("out"));
        said(residue.output().unwrap())
    }

    /// The order that is selected.
    fn selected(&self, args: &[&str]) -> Vec<String> {
        let said = self.run("select", &[&["--format", "order"], args].concat());
        assert_eq!(said.code, 0, "{said:#?}");
        said.stdout.lines().map(str::to_owned).collect()
    }
}

#[track_caller]
fn says(said: &Said, code: i32, all_of: &[&str]) {
    assert_eq!(said.code, code, "{said:#?}");
    for part in all_of {
        assert!(said.stdout.contains(part), "{part:?} is missing in {said:#?}");
    }
}

const SINCE: [&str; 2] = ["--changed-since", "HEAD"];

#[test]
fn a_change_selects_who_runs_it_and_what_those_need() {
    let repository = Repository::new();
    assert_eq!(repository.run("trace", &[]).code, 0);
    let untouched = repository.run("select", &SINCE);
    says(&untouched, 0, &["none of 3 tests needs to run", "nothing changed since HEAD"]);

    repository.change("src/shop/Prices.java", "2 * price", "price + price");
    assert_eq!(repository.selected(&SINCE), [OPENS, BILLS]);
    assert_eq!(repository.selected(&[]), [OPENS, BILLS], "class files tell the same");
    let told = repository.run("select", &SINCE);
    let reasons = ["runs Prices.java: changed", &format!("sets up what {BILLS} reads")];
    says(&told, 0, &["2 of 3 tests", "before the change", reasons[0], reasons[1]]);
    let surefire = repository.run("select", &[&SINCE[..], &["--format", "surefire"]].concat());
    assert_eq!(surefire.stdout, "shop.ATillTest,shop.BillTest\n");

    let good = repository.run("select", &[&SINCE[..], &["--run"]].concat());
    says(&good, 0, &["2 passed", "is as in the default order before the change"]);
    repository.change("src/shop/Prices.java", "price + price", "3 * price");
    let bad = repository.run("select", &[&SINCE[..], &["--run"]].concat());
    says(&bad, 6, &["1 test differs", &format!("{BILLS}  passed -> failed")]);
}

#[test]
fn who_reads_what_a_touched_test_leaves_is_selected_too() {
    let repository = Repository::new();
    assert_eq!(repository.run("trace", &[]).code, 0);
    repository.change("src/shop/ATillTest.java", "Till.open = true;", "Till.open = !false;");
    assert_eq!(repository.selected(&SINCE), [OPENS, BILLS]);
    let told = repository.run("select", &SINCE);
    let downstream = format!("reads what {OPENS} leaves");
    says(&told, 0, &["its own ATillTest.java: changed", &downstream]);
}

#[test]
fn what_cannot_be_placed_selects_everything_and_says_so() {
    let repository = Repository::new();
    assert_eq!(repository.run("trace", &[]).code, 0);
    repository.write("README.md", "A better shop.\n");
    assert!(repository.selected(&SINCE).is_empty(), "nobody reads it");
    let nothing = repository.run("select", &[&SINCE[..], &["--format", "surefire"]].concat());
    assert_eq!(nothing.stdout, "", "with an empty value Surefire would run everything");
    repository.write("pom.xml", "<project/>");
    // A class path is given, so this is no Maven project all the same.
    let all = repository.run("select", &SINCE);
    says(&all, 0, &["3 of 3 tests", "everything counts as touched: pom.xml new"]);
    let document = repository.run("select", &[&SINCE[..], &["--json", "-"]].concat());
    let document: serde_json::Value = serde_json::from_str(&document.stdout).unwrap();
    assert_eq!(document["format"], "residue-select");
    assert_eq!(document["suites"][0]["everything"][0], "pom.xml new");
    assert_eq!(document["suites"][0]["selected"][2]["test"], GREETS);
}

/// Greets rudely from now on.
const RUDE_TEST: &str = "package shop;
public class RudeTest {
    @org.junit.Test
    public void isRude() {
        Names.greeting = \"Oi\";
    }
}
";

#[test]
fn after_a_change_only_what_it_touched_is_decided_again() {
    let repository = Repository::new();
    let before = repository.run("detect", &["--json", "-"]);
    let brittle: serde_json::Value = serde_json::from_str(&before.stdout).unwrap();
    assert_eq!(brittle["suites"][0]["findings"][0]["test"], BILLS, "{before:#?}");

    repository.write("src/shop/RudeTest.java", RUDE_TEST);
    repository.compile();
    let after = repository.run("detect", &["--since", "HEAD"]);
    let expected = [
        "1 order-dependent test where the change touches 1 of 4 tests",
        "its own RudeTest.java: new",
        "RudeTest#isRude makes 1 test fail",
        GREETS,
        "decided before, unchanged",
        &format!("{BILLS} (state-setter {OPENS})"),
        "only what involves a touched test: 1 touched",
    ];
    says(&after, 1, &expected);

    // Who needs no other test any more is not found again.
    repository.change("src/shop/BillTest.java", "assertTrue(Till.open);", "Till.open = true;");
    let repaired = repository.run("detect", &["--since", "HEAD", "--json", "-"]);
    let repaired: serde_json::Value = serde_json::from_str(&repaired.stdout).unwrap();
    let since = &repaired["suites"][0]["since"];
    assert_eq!(since["not_found_again"][0]["test"], BILLS, "{repaired:#}");
    assert_eq!(repaired["suites"][0]["findings"][0]["test"], GREETS, "{repaired:#}");
}

#[test]
fn where_git_cannot_tell_what_changed_it_is_said_why() {
    let repository = Repository::new();
    let unknown = repository.run("select", &["--changed-since", "nope"]);
    unknown.refuses(2, &["has no revision `nope`", "git log"]);
    let option = repository.run("detect", &["--since=--all"]);
    option.refuses(2, &["has no revision `--all`"]);

    let clone = tempfile::tempdir().unwrap();
    let url = format!("file://{}", repository.folder.path().display());
    let target = clone.path().to_str().unwrap();
    repository.git(&["clone", "--quiet", "--depth", "1", &url, target]);
    let shallow =
        said(residue().args(["select", target, "--changed-since", "HEAD~1"]).output().unwrap());
    shallow.refuses(2, &["shallow clone", "git fetch --unshallow"]);

    fs::remove_dir_all(repository.path(".git")).unwrap();
    let none = repository.run("select", &SINCE);
    none.refuses(2, &["is in no git repository", "HEAD"]);
}
