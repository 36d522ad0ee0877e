//! `residue detect` on real suites with known dependences: it finds what their
//! sources say, nothing else, and proves it. See `fixtures/dependences`.

#![allow(clippy::unwrap_used)] // in a test, to panic is to fail
#![allow(unreachable_pub)] // nobody else uses the modules of a test

mod common;
#[path = "detecting/detected.rs"]
mod detected;
#[path = "detecting/marks.rs"]
mod marks;
#[path = "detecting/suites.rs"]
mod suites;

use std::collections::{BTreeMap, BTreeSet};

use common::{Subject, pasted};
use detected::{Asked, Detected, detect};
use residue_detect::Algorithm;
use residue_model::{OutcomeKind, TestOrder};
use residue_store::{RunFilter, Store};
use residue_test_support::{Fixture, JUNIT4};
use serde_json::{Value, json};
use suites::{MarkedSuite, in_junit4, in_jupiter, translated_to_jupiter};

const QUICK: [&str; 3] = ["--confirmations", "1", "--no-causes"];
const ONCE_MORE: Asked = Asked { all_polluters: false, cleaners: false, confirmations: 1 };

fn by(suite: &MarkedSuite, algorithm: &str) -> Detected {
    detect(&suite.subject, &[&["--algorithm", algorithm], &QUICK[..]].concat())
}

fn basic_dependences_are_found(suite: &MarkedSuite) {
    let detected = by(suite, "reverse");
    detected.must_be(&suite.marks, ONCE_MORE);
    let exits = &detected.findings["exits.ShutdownTest#endsTheJvmWhenClosed"];
    assert_eq!(exits.failing().outcome.kind(), OutcomeKind::Crashed);
}

#[test]
fn basic_dependences_are_found_in_junit_4() {
    basic_dependences_are_found(&in_junit4("basic"));
}

#[test]
fn basic_dependences_are_found_in_junit_5() {
    basic_dependences_are_found(&translated_to_jupiter("basic"));
}

#[test]
fn what_was_found_before_is_told_again_unless_a_fresh_look_was_asked_for() {
    let suite = in_junit4("basic");
    let tests = |detected: &Detected| detected.findings.keys().cloned().collect::<Vec<_>>();
    let first = by(&suite, "reverse");
    let again = by(&suite, "isolate");
    assert_eq!((tests(&again), again.exit_code), (tests(&first), 1));
    let fresh = [&["--algorithm", "isolate", "--fresh"], &QUICK[..]].concat();
    let fresh = detect(&suite.subject, &fresh);
    assert!(fresh.findings.len() < first.findings.len(), "{:#}", fresh.suite);
}

/// A digest means nothing to a reader: what a dependency goes through is told
/// by the way there.
#[test]
fn refined_dependencies_and_findings_tell_the_way_to_what_they_go_through() {
    let suite = in_junit4("basic");
    let detected = by(&suite, "pradet");
    let moves = "sharedobject.RepositoryTest#bMoves";
    let creates = "sharedobject.RepositoryTest#aCreates";
    let root = "sharedobject.RepositoryTest#shared";
    let ways = json!([
        { "path": "RepositoryTest.shared", "root": root },
        { "path": "RepositoryTest.shared -> Repository.url", "root": root },
    ]);
    let expected = json!({
        "reader": moves,
        "writer": creates,
        "location_count": 2,
        "locations": ways,
        "reference": "default",
        "fate": "manifest",
    });
    let refined = detected.suite["refined"].as_array().unwrap();
    let between = |edge: &&Value| edge["reader"] == moves && edge["writer"] == creates;
    assert_eq!(refined.iter().find(between), Some(&expected), "{refined:#?}");

    let findings = detected.suite["findings"].as_array().unwrap();
    let brittle = findings.iter().find(|finding| finding["test"] == moves).unwrap();
    assert_eq!(brittle["through"], ways);
}

#[test]
fn state_of_the_jvm_and_files_can_be_the_cause() {
    for suite in [in_junit4("causes"), translated_to_jupiter("causes")] {
        by(&suite, "reverse").must_be(&suite.marks, ONCE_MORE);
    }
}

#[test]
fn dependences_of_nested_and_parameterised_tests_and_shared_instances_are_found() {
    let suite = in_jupiter("jupiter");
    by(&suite, "reverse").must_be(&suite.marks, ONCE_MORE);
}

/// What other tests hide, every algorithm finds as far as it is made for it.
/// One store for all of them: what one has run, the next need not run again.
#[test]
fn each_algorithm_finds_the_masked_dependences_that_it_covers() {
    let suite = in_junit4("masked");
    let asked = Asked { all_polluters: true, cleaners: true, confirmations: 1 };
    let thorough = ["--all-polluters", "--cleaners", "--confirmations", "1"];
    let mut orders_tried = BTreeMap::new();
    let mut findings = BTreeMap::new();
    use Algorithm::{Exhaustive, Isolate, Pairs, Random, Reverse};
    for algorithm in [Reverse, Isolate, Pairs, Exhaustive, Random] {
        let args = [&["--algorithm", algorithm.as_str()], &thorough[..]].concat();
        let detected = detect(&suite.subject, &args);
        detected.must_be(&suite.marks.for_algorithms(&[algorithm]), asked);
        orders_tried.insert(algorithm, detected.orders_tried());
        findings.insert(algorithm, detected.findings.into_keys().collect::<Vec<_>>());
    }
    assert!(findings[&Reverse].is_empty());
    assert_eq!(findings[&Isolate], ["missedalarm.FaultTest#describes"]);
    assert_eq!(findings[&Pairs], findings[&Exhaustive]);
    let tests = 9;
    assert_eq!(orders_tried[&Exhaustive], tests * (tests - 1));
    assert_eq!(orders_tried[&Pairs], tests + 1);

    let by_default = detect(&suite.subject, &thorough);
    by_default.must_be(&suite.marks, asked);
}

#[test]
fn masked_dependences_are_found_in_junit_5() {
    let suite = translated_to_jupiter("masked");
    let args = [&["--algorithm", "random", "--trials", "6"], &QUICK[..]].concat();
    detect(&suite.subject, &args).must_be(&suite.marks, ONCE_MORE);
}

#[test]
fn a_class_fixture_that_runs_again_is_told_as_an_artefact() {
    for suite in [in_junit4("class-fixture"), translated_to_jupiter("class-fixture")] {
        by(&suite, "random").must_be(&suite.marks, ONCE_MORE);
        let said = suite.subject.run("detect", &[&["--algorithm", "random"], &QUICK[..]].concat());
        for part in ["2 tests together make 1 test fail", "(fixture artefact)"] {
            assert_eq!(said.stdout.matches(part).count(), 2, "{part}: {said:#?}");
        }
    }
}

/// Runs share the working directory, so one at a time.
#[test]
fn a_file_in_the_working_directory_can_be_the_cause() {
    let suite = in_junit4("working-directory");
    let args = [&["--algorithm", "reverse", "--jobs", "1"], &QUICK[..]].concat();
    detect(&suite.subject, &args).must_be(&suite.marks, ONCE_MORE);
}

/// Nobody has to say that runs meet in files and ports: a trace shows it.
#[test]
fn runs_that_share_files_and_ports_are_kept_apart() {
    let suite = in_junit4("machine");
    let folder = suite.subject.folder.path();
    for (name, text) in [("first", "1.0"), ("second", "2.0")] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    std::os::unix::fs::symlink("first", folder.join("current")).unwrap();
    let detected = detect(&suite.subject, &QUICK);
    detected.must_be(&suite.marks, ONCE_MORE);
    assert_eq!(detected.suite["files_restored"], true);
    let shared = ["current", "report.txt", "port 18431"];
    assert_eq!(detected.suite["shared_with_other_runs"], serde_json::json!(shared));
    let is_as_before = || {
        let link = std::fs::read_link(folder.join("current")).unwrap();
        !folder.join("report.txt").exists() && link == std::path::Path::new("first")
    };
    assert!(is_as_before());
    let victim = "keptfile.BillTest#startsWithoutAReport";
    let explained = suite.subject.run("explain", &[victim]);
    for part in [
        "existence of report.txt",
        "missing -> there",
        "ReportTest.java:",
        "BillTest.java:",
        "none of these can be put back: which one is the cause was not tried",
    ] {
        assert!(explained.stdout.contains(part), "{part:?} is missing in {explained:#?}");
    }
    let replayed = suite.subject.run("replay", &["f1"]);
    assert_eq!(replayed.code, 1, "{replayed:#?}");
    assert!(!replayed.stderr.contains("has changed"), "{replayed:#?}");
    assert!(is_as_before(), "a finding is shown again as it was found");
    let planned = suite.subject.run("schedule", &["--respect", "manifest"]);
    assert!(planned.stdout.contains("findings binding tests"), "{planned:#?}");
}

/// Paths of the locations that are told as the cause, and whether all runs
/// proved it.
fn told_causes(explained: &str) -> (Vec<&str>, bool) {
    let mut lines = explained.lines().skip_while(|line| !line.starts_with("the cause"));
    let is_proved = lines.next().is_some_and(|title| title.contains("in 3 of 3 runs"));
    let section = lines.take_while(|line| !line.is_empty());
    let paths = section.filter_map(|line| line.strip_prefix("   "));
    let is_path = |line: &&str| !line.starts_with(' ') && !line.starts_with("what else");
    (paths.filter(is_path).collect(), is_proved)
}

#[test]
fn the_cause_is_what_makes_a_test_end_as_alone_when_it_is_put_back() {
    let suite = in_junit4("proved");
    by(&suite, "reverse").must_be(&suite.marks, ONCE_MORE);
    for (test, dependence) in &suite.marks.dependences {
        let explained = suite.subject.run("explain", &[test]);
        let (told, is_proved) = told_causes(&explained.stdout);
        assert!(is_proved, "{explained:#?}");
        let told: BTreeSet<String> = told.into_iter().map(str::to_owned).collect();
        assert_eq!(told, dependence.causes, "{explained:#?}");
    }
}

/// One of each group of findings with the same partners stands for it.
#[test]
fn a_detection_tells_the_cause_of_each_group_of_findings() {
    let suite = in_junit4("proved");
    let ask = || suite.subject.run("detect", &["--algorithm", "reverse", "--json", "-"]);
    let said = ask();
    let document: Value = serde_json::from_str(&said.stdout).unwrap();
    let detected = &document["suites"][0];
    let mut groups: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for finding in detected["findings"].as_array().unwrap() {
        let told = groups.entry(finding["partners"]["tests"].to_string()).or_default();
        let cause = &finding["cause"];
        if cause.is_null() {
            continue;
        }
        assert!(told.is_empty(), "one of each group: {detected:#}");
        assert_eq!([&cause["held"], &cause["runs"]], [3, 3], "{cause:#}");
        let paths = cause["state"].as_array().into_iter().flatten().map(|state| &state["path"]);
        let classes = cause["classes"].as_array().into_iter().flatten();
        told.extend(paths.chain(classes).map(|one| one.as_str().unwrap().to_owned()));
        let causes = &suite.marks.dependences[finding["test"].as_str().unwrap()].causes;
        assert_eq!(told, causes, "{cause:#}");
    }
    // Without a trace of the whole suite nobody knows which classes two tests share.
    let open = groups.iter().filter(|(_, told)| told.is_empty());
    let open: Vec<_> = open.map(|(partners, _)| partners.as_str()).collect();
    assert_eq!(open, [r#"["initialiser.TravelTest#writesFromRome"]"#], "{detected:#}");
    let tally = &detected["causes"];
    let counted = ["proved", "open", "out_of_time"].map(|what| tally[what].as_u64().unwrap());
    assert_eq!(counted, [groups.len() as u64 - 1, 1, 0], "{tally:#}");
    for told in [
        "   through      Parsers.KNOWN\n   value        [\"json\"] \"a parser\" -> nothing\n",
        "   proof        put back before the test, it passes in 3 of 3 runs\n   more ",
        "   proof        put back before the test, it fails as it does alone in 3 of 3 runs\n",
        "1 not among what can be put back\n",
    ] {
        assert!(said.stderr.contains(told), "{told:?} is missing in {said:#?}");
    }
    let runs = runs_by_order(&suite.subject);
    assert_eq!(ask().stdout.matches("held").count(), said.stdout.matches("held").count());
    assert_eq!(runs_by_order(&suite.subject), runs, "a cause once proved takes no run again");
}

/// By default it fails after one of them, in the reversed order after the other.
#[test]
fn each_polluter_of_a_test_is_told_with_its_own_cause() {
    let suite = in_junit4("twofold");
    let detected = detect(&suite.subject, &QUICK);
    detected.must_be(&suite.marks, ONCE_MORE);
    let victim = "twofold.PlainTest#isWhatItIs";
    let finding = &detected.findings[victim];
    let sets: Vec<_> = finding.partner_sets().map(|set| set.tests[0].as_str()).collect();
    assert_eq!(sets, ["twofold.DiscountTest#isGranted", "twofold.TaxTest#isAdded"]);
    assert!(!finding.others_unnamed);
    let cause_after = |polluter: &str| {
        let said = suite.subject.run("explain", &[victim, "--after", polluter]);
        let (told, is_proved) = told_causes(&said.stdout);
        assert!(is_proved, "{said:#?}");
        told.join(", ")
    };
    let causes: Vec<_> = sets.into_iter().map(cause_after).collect();
    assert_eq!(causes, ["Prices.discount", "Prices.tax"]);
    let said = suite.subject.run("explain", &[victim, "--after", "twofold.PlainTest#other"]);
    assert_eq!(said.code, 2, "{said:#?}");
    assert!(said.stderr.contains("`twofold.TaxTest#isAdded`"), "{said:#?}");
}

/// Nobody asked the detection for cleaners: who writes the cause a trace tells.
#[test]
fn an_explanation_tells_what_a_cleaner_does() {
    let suite = in_junit4("proved");
    by(&suite, "reverse");
    let explain = || suite.subject.run("explain", &["replaced.LetterTest#isSent"]).stdout;
    assert!(!explain().contains("cleaner"), "no trace tells who writes it");
    suite.subject.run("trace", &[]);
    let explained = explain();
    let (_, cleaned) = explained.split_once("what a cleaner resets").unwrap();
    for part in [
        "cleaner      replaced.RestoreTest#sendsForReal\n   in between   passed in 3 of 3 runs",
        "   Mailer.transport\n      value       MockTest$1 -> RestoreTest$1",
        "written at  replaced.RestoreTest.sendsForReal(RestoreTest.java:11)",
    ] {
        assert!(cleaned.contains(part), "{part:?} is missing in {cleaned}");
    }
    let runs = runs_by_order(&suite.subject);
    assert_eq!(explain(), explained);
    assert_eq!(runs_by_order(&suite.subject), runs);
}

#[test]
fn an_explanation_can_be_read_by_programs() {
    let suite = in_junit4("proved");
    by(&suite, "reverse");
    let said = suite.subject.run("explain", &["nested.ShelfTest#isEmpty", "--json", "-"]);
    let document: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(document["format"], "residue-explain");
    assert_eq!(document["finding"]["test"], "nested.ShelfTest#isEmpty");
    let state = &document["cause"]["state"][0];
    assert_eq!(state["path"], "Stock.SHELVES", "{document:#}");
    assert_eq!(state["root"], "nested.Stock#SHELVES");
    assert_eq!(state["writer"], "nested.StockTest#stocksTea");
    let in_test = |stack: &str, method: &str| {
        state[stack].as_array().unwrap().iter().any(|frame| frame["method"] == method)
    };
    assert!(in_test("written_at", "stocksTea") && in_test("read_at", "isEmpty"), "{document:#}");
}

#[test]
fn a_cause_once_proved_takes_no_run_again() {
    let suite = translated_to_jupiter("causes");
    by(&suite, "reverse");
    let explain = || suite.subject.run("explain", &["systemproperty.EditionTest#isTheFreeEdition"]);
    let explained = explain();
    let (told, is_proved) = told_causes(&explained.stdout);
    assert!(is_proved, "{explained:#?}");
    assert_eq!(told, ["system property \"dependences.licence\""]);
    let runs = runs_by_order(&suite.subject);
    assert_eq!(explain().stdout, explained.stdout);
    assert_eq!(runs_by_order(&suite.subject), runs);
}

#[test]
fn a_clean_suite_is_clean() {
    let suite = in_junit4("clean");
    by(&suite, "reverse,isolate,pairs,exhaustive,random").must_be(&suite.marks, ONCE_MORE);
    let said = suite.subject.run("detect", &["--algorithm", "reverse"]);
    assert_eq!(said.code, 0, "{said:#?}");
    let clean = "no order-dependent test found among 3 tests";
    assert!(said.stdout.starts_with(clean), "{said:#?}");
}

/// One JVM at a time, so that which orders run does not depend on chance.
const IN_STEP: [&str; 4] = ["--algorithm", "reverse,isolate", "--jobs", "1"];

#[test]
fn an_interrupted_detection_goes_on_where_it_stopped() {
    let whole = Subject::junit4("orders");
    let expected = detect(&whole, &IN_STEP);
    let expected_runs = runs_by_order(&whole);
    assert_eq!(expected.exit_code, 1);
    assert_eq!(expected.findings.len(), 2);

    let cut = Subject::junit4("orders");
    let mut before = 0;
    for limit in ["1", "4", "7"] {
        let part = detect(&cut, &[&IN_STEP[..], &["--max-runs", limit]].concat());
        assert_eq!(part.suite["ended"], "stopped at --max-runs");
        let runs: u32 = runs_by_order(&cut).values().sum();
        assert_eq!(runs.to_string(), limit, "stored runs count, and no more are made");
        assert!(runs > before);
        before = runs;
    }
    let resumed = detect(&cut, &IN_STEP);
    assert_eq!(resumed.exit_code, 1);
    assert_eq!(resumed.suite["findings"], expected.suite["findings"]);
    assert_eq!(resumed.suite["coverage"], expected.suite["coverage"]);
    assert_eq!(runs_by_order(&cut), expected_runs, "no order ran more often than it has to");

    let again = detect(&cut, &IN_STEP);
    assert_eq!(again.suite["findings"], expected.suite["findings"]);
    assert_eq!(runs_by_order(&cut), expected_runs, "everything was in the store");
}

#[test]
fn a_detection_that_was_cut_short_says_what_it_has_not_begun() {
    let subject = Subject::junit4("orders");
    let cut = subject.run("detect", &["--jobs", "1", "--max-runs", "4"]);
    assert!(cut.stdout.contains("   not begun: random, new sights, single sights,"), "{cut:#?}");
}

#[test]
fn tests_that_fail_in_the_default_order_are_counted() {
    let subject = Subject::junit4("junit4");
    let args = ["--algorithm", "reverse", "--max-runs", "3"];
    let counted = detect(&subject, &args).suite["failing_in_default_order"].as_u64();
    let said = subject.run("run", &["--json", "-"]);
    let run: Value = serde_json::from_str(&said.stdout).unwrap();
    let results = run["runs"][0]["results"].as_array().unwrap();
    let quiet = |result: &&Value| result["outcome"] == "passed" || result["outcome"] == "skipped";
    let failing = results.len() - results.iter().filter(quiet).count();
    assert!(failing > 0, "{said:#?}");
    assert_eq!(counted, Some(failing as u64), "{said:#?}");
}

/// Else a CI with a small budget would be green.
#[test]
fn a_suite_with_tests_that_differed_unexplained_is_not_called_clean_by_the_exit_code() {
    let subject = Subject::junit4("orders");
    let cut = detect(&subject, &[&IN_STEP[..], &["--max-runs", "4"]].concat());
    assert!(cut.findings.is_empty(), "{cut:#?}");
    assert_ne!(cut.suite["unexplained"], json!([]), "{cut:#?}");
    assert_eq!(cut.exit_code, 1);
}

/// Who stands in another folder, or must tell how to build, can paste them.
#[test]
fn commands_that_a_report_suggests_work_as_printed() {
    let subject = Subject::junit4("orders");
    let said = subject.run("detect", &[&IN_STEP[..], &QUICK[..]].concat());
    let suggested: Vec<&str> =
        said.stdout.lines().filter_map(|line| Some(&line[line.find("residue ")?..])).collect();
    let of = |command: &str| suggested.iter().filter(|line| line.contains(command)).count();
    assert_eq!([of("residue explain"), of("residue replay"), of("residue run")], [2, 2, 2]);
    for command in suggested {
        let pasted = pasted(command);
        assert!(pasted.code <= 1, "{command}: {pasted:#?}");
        assert!(!command.contains("replay") || pasted.code == 1, "{command}: {pasted:#?}");
    }
}

#[test]
fn of_several_victims_the_one_whose_failure_is_shown_is_named() {
    let sources = tempfile::tempdir().unwrap();
    let source = "
        import static org.junit.Assert.assertEquals;
        import org.junit.*;
        import org.junit.runners.MethodSorters;
        @FixMethodOrder(MethodSorters.NAME_ASCENDING)
        public class CupTest {
            static int drunk;
            @Test public void aIsFull() { assertEquals(0, drunk); }
            @Test public void bIsFullToo() { assertEquals(0, drunk); }
            @Test public void cDrinks() { drunk = 1; }
        }";
    std::fs::write(sources.path().join("CupTest.java"), source).unwrap();
    let fixture = Fixture::compile_sources("cup", sources.path(), JUNIT4);
    let subject = Subject { fixture, folder: tempfile::tempdir().unwrap() };
    let said = subject.run("detect", &[&IN_STEP[..], &QUICK[..]].concat());
    let told = "   for example  f1   CupTest#aIsFull\n   alone        passed";
    assert!(said.stdout.contains(told), "{said:#?}");
}

fn runs_by_order(subject: &Subject) -> BTreeMap<Vec<String>, u32> {
    let store = Store::open(&subject.folder.path().join(".residue")).unwrap();
    let mut runs = BTreeMap::new();
    for run in store.runs(&RunFilter::default()).unwrap() {
        let order: TestOrder = store.run_info(run.id).unwrap().request.order;
        let order = order.tests().iter().map(ToString::to_string).collect();
        *runs.entry(order).or_default() += 1;
    }
    runs
}

#[test]
fn a_finding_is_replayed_live_with_both_outcomes() {
    let subject = Subject::junit4("orders");
    let detected = detect(&subject, &[&IN_STEP[..], &QUICK[..]].concat());
    let findings = detected.suite["findings"].as_array().unwrap();
    let id_of = |test: &str| {
        let finding = findings.iter().find(|finding| finding["test"] == test).unwrap();
        finding["id"].as_str().unwrap()
    };
    let runs_before: u32 = runs_by_order(&subject).values().sum();

    let victim = "orders.CounterTest#aStartsAtZero";
    let replayed = subject.run("replay", &[id_of(victim)]);
    assert_eq!(replayed.code, 1, "{replayed:#?}");
    let lines: Vec<&str> = replayed.stdout.lines().map(str::trim).collect();
    assert_eq!(lines[0], format!("{} victim {victim}", id_of(victim)));
    assert!(lines[1].starts_with("alone") && lines[1].ends_with("passed (as found)"));
    assert!(lines.contains(&"after 1 test   failed (as found)"), "{replayed:#?}");
    assert!(lines.contains(&"orders.CounterTest#bCounts"), "{replayed:#?}");
    assert_eq!(lines.last(), Some(&"reproduced"));
    let runs_after: u32 = runs_by_order(&subject).values().sum();
    assert_eq!(runs_after, runs_before + 2, "a replay runs both orders anew");

    let brittle = subject.run("replay", &[id_of("orders.CounterTest#cHasCounted")]);
    assert_eq!(brittle.code, 1, "{brittle:#?}");
    assert!(brittle.stdout.contains("failed (as found)"), "{brittle:#?}");
    assert!(brittle.stdout.contains("passed (as found)"), "{brittle:#?}");

    let unknown = subject.run("replay", &["f99"]);
    unknown.refuses(2, &["f99"]);
}
