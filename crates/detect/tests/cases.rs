//! Known kinds of dependence, each as small as it gets.
#![allow(clippy::unwrap_used)] // helpers of tests may panic

mod support;

use residue_detect::{Algorithm, Comparison, Config, Finding, Granularity, Role, Verdict};
use residue_exec::fake::{Ending, FakeSuite, World};
use residue_model::{OutcomeKind, TestId, TestOrder};
use support::{Done, detect, expects, names, only, set, sets};

fn nothing(_: &mut World) -> Ending {
    Ok(())
}

/// Tests around which the interesting ones hide.
fn with_bystanders(mut suite: FakeSuite, class: &str, count: usize) -> FakeSuite {
    for number in 0..count {
        suite = suite.test(&format!("{class}#bystander{number}"), nothing);
    }
    suite
}

fn order(witness: &TestOrder) -> Vec<&str> {
    names(witness.tests())
}

fn partners(finding: &Finding) -> Vec<&str> {
    names(&finding.partners.tests)
}

#[test]
fn victim_and_polluter() {
    let suite = FakeSuite::new().test("a.VictimTest#startsEmpty", expects("cache", 0));
    let suite = with_bystanders(suite, "a.OtherTest", 30);
    let done = detect(suite.test("b.PolluterTest#fills", sets("cache", 1)), Config::default());
    assert_eq!(done.dependent(), set(&["a.VictimTest#startsEmpty"]));
    let finding = done.finding("a.VictimTest#startsEmpty");
    assert_eq!(finding.role, Role::Victim);
    assert_eq!(finding.partners.role, Role::Polluter);
    assert_eq!(partners(&finding), ["b.PolluterTest#fills"]);
    let polluters: Vec<_> = finding.polluters().map(TestId::as_str).collect();
    assert_eq!(polluters, ["b.PolluterTest#fills"]);
    assert_eq!(order(&finding.passing().unwrap().order), ["a.VictimTest#startsEmpty"]);
    assert_eq!(
        order(&finding.failing().order),
        ["b.PolluterTest#fills", "a.VictimTest#startsEmpty"]
    );
    assert_eq!(finding.passing().unwrap().outcome.kind(), OutcomeKind::Passed);
    assert_eq!(finding.failing().outcome.kind(), OutcomeKind::Failed);
    assert_eq!((finding.failing().held, finding.failing().runs), (3, 3));
    assert_eq!(finding.found_by.algorithm, Algorithm::Reverse);
    assert_eq!(finding.found_by.order, "reversed");
    assert!(!finding.is_fixture_artefact());
}

#[test]
fn brittle_and_state_setter() {
    let suite = with_bystanders(FakeSuite::new(), "a.OtherTest", 10);
    let suite = suite
        .test("a.SetUpTest#connects", sets("connected", 1))
        .test("b.UseTest#sends", expects("connected", 1));
    let done = detect(suite, Config::default());
    assert_eq!(done.dependent(), set(&["b.UseTest#sends"]));
    let finding = done.finding("b.UseTest#sends");
    assert_eq!((finding.role, finding.partners.role), (Role::Brittle, Role::StateSetter));
    assert_eq!(partners(&finding), ["a.SetUpTest#connects"]);
    assert_eq!(finding.polluters().count(), 0, "what a test needs is no pollution");
    assert_eq!(order(&finding.failing().order), ["b.UseTest#sends"]);
    let passing = finding.passing().unwrap();
    assert_eq!(order(&passing.order), ["a.SetUpTest#connects", "b.UseTest#sends"]);
}

/// DTDetector, Figure 1: a fault that other tests mask in the default order.
#[test]
fn a_missed_alarm_is_a_brittle_test() {
    let suite = FakeSuite::new()
        .test("cli.OptionBuilderTest#resets", sets("argName", 1))
        .test("cli.BugsTest#test13666", expects("argName", 1))
        .test("cli.BugsTest#test27635", expects("argName", 1));
    let done = detect(suite, only(&[Algorithm::Isolate]));
    assert_eq!(done.dependent(), set(&["cli.BugsTest#test13666", "cli.BugsTest#test27635"]));
    for finding in done.detection.findings() {
        assert_eq!(finding.role, Role::Brittle);
        assert_eq!(partners(&finding), ["cli.OptionBuilderTest#resets"]);
        assert_eq!(finding.in_default_order.kind(), OutcomeKind::Passed);
        assert_eq!(finding.failing().outcome.kind(), OutcomeKind::Failed);
    }
}

#[test]
fn a_cleaner_in_between_hides_the_polluter_in_the_default_order() {
    let suite = FakeSuite::new().test("a.PolluterTest#fills", sets("cache", 1));
    let suite = with_bystanders(suite, "a.OtherTest", 9);
    let suite = suite
        .test("b.CleanerTest#clears", sets("cache", 0))
        .test("c.VictimTest#startsEmpty", expects("cache", 0));
    let config = Config { cleaners: true, ..only(&[Algorithm::Pairs]) };
    let done = detect(suite, config);
    assert_eq!(done.dependent(), set(&["c.VictimTest#startsEmpty"]));
    let finding = done.finding("c.VictimTest#startsEmpty");
    assert_eq!(finding.role, Role::Victim);
    assert_eq!(partners(&finding), ["a.PolluterTest#fills"]);
    assert_eq!(finding.cleaners.len(), 1);
    assert_eq!(names(&finding.cleaners[0].tests), ["b.CleanerTest#clears"]);
    assert_eq!(
        order(&finding.cleaners[0].witness.order),
        ["a.PolluterTest#fills", "b.CleanerTest#clears", "c.VictimTest#startsEmpty"]
    );
}

#[test]
fn cleaners_in_the_failing_prefix_do_not_mislead_minimisation() {
    // Reversed: the victim runs last, after polluter, cleaner, polluter.
    let suite = FakeSuite::new()
        .test("a.VictimTest#startsEmpty", expects("cache", 0))
        .test("b.T#pollutesAgain", sets("cache", 2))
        .test("b.T#cleans", sets("cache", 0))
        .test("b.T#pollutes", sets("cache", 1));
    let done = detect(suite, only(&[Algorithm::Reverse]));
    let finding = done.finding("a.VictimTest#startsEmpty");
    assert_eq!(finding.partners.tests.len(), 1);
    assert!(finding.partners.minimal);
    assert_ne!(partners(&finding), ["b.T#cleans"]);
}

#[test]
fn a_polluter_set_of_two() {
    let half = |key: &'static str| sets(key, 1);
    let suite = with_bystanders(FakeSuite::new(), "a.FirstTest", 7)
        .test("a.VictimTest#startsEmpty", |world| {
            let both = world.get("left") == 1 && world.get("right") == 1;
            if both { Err(world.failed_at(9)) } else { Ok(()) }
        })
        .test("b.LeftTest#sets", half("left"));
    let suite = with_bystanders(suite, "b.OtherTest", 20).test("c.RightTest#sets", half("right"));
    let done = detect(suite, Config { all_partners: true, ..Config::default() });
    let finding = done.finding("a.VictimTest#startsEmpty");
    assert_eq!(finding.role, Role::Victim);
    assert_eq!(set(&partners(&finding)), set(&["b.LeftTest#sets", "c.RightTest#sets"]));
    assert!(finding.partners.minimal);
    assert!(finding.other_partners.is_empty(), "no single test does it");
}

/// Joda-Time's kind: the second test changes what the first left so that the
/// third fails; without the first, the second does nothing.
#[test]
fn three_tests_in_a_chain() {
    let suite = FakeSuite::new().test("t.ThirdTest#formats", expects("provider", 0)).test(
        "t.SecondTest#resets",
        |world| {
            if world.get("zone") == 1 {
                world.set("provider", 1);
            }
            Ok(())
        },
    );
    let suite = with_bystanders(suite, "t.OtherTest", 12).test("t.FirstTest#zone", sets("zone", 1));
    let done = detect(suite, Config::default());
    assert_eq!(done.dependent(), set(&["t.ThirdTest#formats"]));
    let finding = done.finding("t.ThirdTest#formats");
    assert_eq!(partners(&finding), ["t.FirstTest#zone", "t.SecondTest#resets"]);
}

#[test]
fn a_test_that_fails_differently_is_a_finding() {
    let suite = FakeSuite::new()
        .test("a.BrokenTest#fails", |world| {
            Err(world.failed_at(if world.get("mode") == 1 { 20 } else { 10 }))
        })
        .test("b.ModeTest#switches", sets("mode", 1));
    let done = detect(suite, Config::default());
    let finding = done.finding("a.BrokenTest#fails");
    assert_eq!((finding.role, finding.partners.role), (Role::FailsDifferently, Role::Polluter));
    assert_eq!(partners(&finding), ["b.ModeTest#switches"]);
    assert!(finding.passing().is_none());
    let line = |outcome: &residue_model::Outcome| outcome.failure().unwrap().frames[0].line;
    assert_eq!(line(&finding.alone.outcome), Some(10));
    assert_eq!(line(&finding.failing().outcome), Some(20));
}

/// Part of what makes it fail in another way may make it pass: that would be
/// another finding, not a smaller witness of this one.
#[test]
fn a_set_after_which_it_passes_does_not_explain_another_failure() {
    let suite = FakeSuite::new()
        .test("a.OneTest#sets", sets("one", 1))
        .test("a.TwoTest#sets", sets("two", 1))
        .test("b.BrokenTest#fails", |world| match (world.get("one"), world.get("two")) {
            (1, 0) => Ok(()),
            (1, 1) => Err(world.failed_at(20)),
            _ => Err(world.failed_at(10)),
        });
    let done = detect(suite, only(&[Algorithm::Reverse]));
    let finding = done.finding("b.BrokenTest#fails");
    assert_eq!(finding.role, Role::FailsDifferently);
    assert_eq!(partners(&finding), ["a.OneTest#sets", "a.TwoTest#sets"]);
}

/// PraDeT, Figure 2 (Crystal's DataSourceTest).
#[test]
fn pradet_figure_2() {
    const NULL: i64 = 0;
    const PATH: i64 = 1;
    const PATH_2: i64 = 2;
    const CLONE: i64 = 3;
    let suite = FakeSuite::new()
        .test("c.DataSourceTest#testSetField", sets("cloneString", PATH))
        .test("c.DataSourceTest#testSetCloneString", |world| {
            match world.get("cloneString") {
                NULL => return Err(world.errored_at(13)),
                PATH => {}
                _ => return Err(world.failed_at(13)),
            }
            world.set("cloneString", PATH_2);
            Ok(())
        })
        .test("c.DataSourceTest#testToString", |world| {
            if world.get("cloneString") == NULL {
                return Err(world.errored_at(22));
            }
            world.set("cloneString", CLONE);
            Ok(())
        });
    let done = detect(suite, Config { all_partners: true, ..Config::default() });
    let dependent = ["c.DataSourceTest#testSetCloneString", "c.DataSourceTest#testToString"];
    assert_eq!(done.dependent(), set(&dependent));
    for test in dependent {
        let finding = done.finding(test);
        assert_eq!(finding.role, Role::Brittle);
        assert_eq!(partners(&finding), ["c.DataSourceTest#testSetField"]);
    }
}

/// PraDeT, Figure 5: t3 needs what t1 and t2 leave, and t2 does what t1 does.
#[test]
fn pradet_figure_5() {
    let suite = FakeSuite::new()
        .test("p.JointTest#t1", sets("initialized", 1))
        .test("p.JointTest#t2", |world| {
            world.set("initialized", 1);
            world.set("foo", 1);
            Ok(())
        })
        .test("p.JointTest#t3", |world| {
            world.expect("initialized", 1)?;
            world.expect("foo", 1)
        });
    let done = detect(suite, Config { all_partners: true, ..Config::default() });
    assert_eq!(done.dependent(), set(&["p.JointTest#t3"]));
    let finding = done.finding("p.JointTest#t3");
    assert_eq!(finding.role, Role::Brittle);
    assert_eq!(partners(&finding), ["p.JointTest#t2"]);
    assert!(finding.other_partners.is_empty(), "t1 alone is not enough");
}

#[test]
fn tests_behind_one_that_exits_are_still_looked_at() {
    let suite = FakeSuite::new()
        .test("a.FirstTest#fills", sets("cache", 1))
        .test("b.ExitTest#exits", |world| Err(world.exited(3)))
        .test("c.VictimTest#startsEmpty", expects("cache", 0))
        .test("c.VictimTest#brittle", expects("ready", 1))
        .test("d.LastTest#prepares", sets("ready", 1));
    let done = detect(suite, Config::default());
    assert_eq!(done.dependent(), set(&["c.VictimTest#startsEmpty", "c.VictimTest#brittle"]));
    assert_eq!(partners(&done.finding("c.VictimTest#startsEmpty")), ["a.FirstTest#fills"]);
    assert_eq!(partners(&done.finding("c.VictimTest#brittle")), ["d.LastTest#prepares"]);
    let verdicts = done.detection.verdicts();
    assert!(verdicts.iter().all(|(_, verdict)| *verdict != Verdict::Undetermined), "{verdicts:?}");
}

#[test]
fn a_test_that_exits_only_after_another_is_a_victim() {
    let suite =
        FakeSuite::new()
            .test("a.VictimTest#mayExit", |world| {
                if world.get("bad") == 1 { Err(world.exited(1)) } else { Ok(()) }
            })
            .test("b.PolluterTest#spoils", sets("bad", 1))
            .test("c.HungTest#mayHang", |world| {
                if world.get("bad") == 0 { Err(world.hung()) } else { Ok(()) }
            });
    let done = detect(suite, Config::default());
    let victim = done.finding("a.VictimTest#mayExit");
    assert_eq!(
        (victim.role, victim.failing().outcome.kind()),
        (Role::Victim, OutcomeKind::Crashed)
    );
    let brittle = done.finding("c.HungTest#mayHang");
    assert_eq!(brittle.role, Role::Brittle);
    assert_eq!(brittle.failing().outcome.kind(), OutcomeKind::TimedOut);
}

#[test]
fn many_victims_of_one_polluter_cost_one_minimisation() {
    let suite = (0..40).fold(FakeSuite::new(), |suite, number| {
        suite.test(&format!("a.V{number}Test#startsEmpty"), expects("cache", 0))
    });
    let suite = with_bystanders(suite, "b.OtherTest", 100).test("c.P#fills", sets("cache", 1));
    let done = detect(suite, only(&[Algorithm::Reverse]));
    assert_eq!(done.detection.finding_count(), 40);
    // Reference and explored orders; then alone, the known polluter, and two
    // confirmations of both witnesses for each victim; one minimisation.
    let minimum = 3 + 2 + 40 * 6;
    assert!(done.asked.len() <= minimum + 20, "{} runs", done.asked.len());
}

#[test]
fn a_difference_that_does_not_happen_again_is_no_dependence() {
    // Fails in the run after the three reference runs and in no other.
    let runs = std::sync::atomic::AtomicU32::new(0);
    let suite = FakeSuite::new()
        .test("a.FlakyTest#hiccups", move |world| {
            let run = runs.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            if run == 3 { Err(world.failed_at(5)) } else { Ok(()) }
        })
        .test("b.OtherTest#passes", nothing);
    let done = detect(suite, Config::default());
    assert!(done.dependent().is_empty());
    let unreproduced = done.detection.unreproduced();
    assert_eq!(unreproduced.len(), 1);
    assert_eq!(unreproduced[0].test.as_str(), "a.FlakyTest#hiccups");
    assert_eq!((unreproduced[0].witness.held, unreproduced[0].witness.runs), (1, 3));
    assert_eq!(unreproduced[0].witness.outcome.kind(), OutcomeKind::Failed);
    assert_eq!(done.detection.verdicts()[0].1, Verdict::NonDeterministic);
}

#[test]
fn a_class_fixture_that_cannot_run_twice_is_an_artefact() {
    let suite = FakeSuite::new()
        .before_class("a.FixtureTest", |world| world.set("entered", world.get("entered") + 1))
        .test("a.FixtureTest#x", expects("entered", 1))
        .test("a.FixtureTest#y", expects("entered", 1))
        .test("b.OtherTest#z", nothing)
        .test("c.OtherTest#z", nothing);
    let done = detect(suite, Config::default());
    for test in ["a.FixtureTest#x", "a.FixtureTest#y"] {
        let finding = done.finding(test);
        assert!(finding.is_fixture_artefact(), "{finding:#?}");
        assert_eq!(finding.partners.tests.len(), 2, "one of the class, one that splits it");
    }
}

#[test]
fn a_real_pollution_that_is_seen_across_a_split_class_is_no_artefact() {
    let suite = FakeSuite::new()
        .test("a.T#victim", |world| {
            let both = world.get("left") == 1 && world.get("right") == 1;
            if both { Err(world.failed_at(9)) } else { Ok(()) }
        })
        .test("b.U#right", sets("right", 1))
        .test("a.T#left", sets("left", 1));
    let done = detect(suite, only(&[Algorithm::Reverse]));
    let finding = done.finding("a.T#victim");
    assert_eq!(partners(&finding), ["a.T#left", "b.U#right"]);
    assert!(!finding.is_fixture_artefact());
}

#[test]
fn at_class_granularity_dependences_inside_a_class_are_left_in_peace() {
    let suite = || {
        FakeSuite::new()
            .test("a.ChainTest#first", sets("step", 1))
            .test("a.ChainTest#second", expects("step", 1))
            .test("b.VictimTest#startsEmpty", expects("cache", 0))
            .test("c.PolluterTest#harmless", nothing)
            .test("c.PolluterTest#fills", sets("cache", 1))
    };
    let config = Config { granularity: Granularity::Class, ..Config::default() };
    let done: Done = detect(suite(), config);
    assert_eq!(done.dependent(), set(&["b.VictimTest#startsEmpty"]));
    assert_eq!(partners(&done.finding("b.VictimTest#startsEmpty")), ["c.PolluterTest#fills"]);
    let by_method = detect(suite(), Config::default());
    assert!(by_method.dependent().contains("a.ChainTest#second"));
}

/// Behind the exit it runs without its class before it, which is another order.
#[test]
fn at_class_granularity_a_test_cut_off_from_its_class_is_not_called_unsteady() {
    let suite = FakeSuite::new()
        .test("a.T#exitsWhenTold", |world| {
            if world.get("told") == 1 {
                return Err(world.exited(1));
            }
            world.set("first", 1);
            Ok(())
        })
        .test("a.T#needsTheFirst", expects("first", 1))
        .test("b.T#tells", sets("told", 1));
    let config = Config { granularity: Granularity::Class, ..Config::default() };
    let done = detect(suite, config);
    assert_eq!(done.dependent(), set(&["a.T#exitsWhenTold"]));
    assert!(done.detection.unreproduced().is_empty());
}

#[test]
fn a_skipped_test_is_neither_passed_nor_failed() {
    let suite = FakeSuite::new()
        .test("a.T#assumes", |world| match world.get("offline") {
            0 => Ok(()),
            _ => Err(residue_model::Outcome::Skipped(Some("no network".into()))),
        })
        .test("b.T#goesOffline", sets("offline", 1));
    let done = detect(suite, Config::default());
    let finding = done.finding("a.T#assumes");
    assert_eq!(finding.role, Role::Victim);
    assert_eq!(finding.failing().outcome.kind(), OutcomeKind::Skipped);
}

#[test]
fn a_set_that_cannot_be_minimised_within_the_limit_says_so() {
    // The victim fails when thirty tests have counted.
    let suite = FakeSuite::new().test("a.VictimTest#limited", |world| {
        if world.get("count") >= 30 { Err(world.failed_at(3)) } else { Ok(()) }
    });
    let suite = (0..30).fold(suite, |suite, number| {
        suite.test(&format!("b.CountTest#counts{number}"), |world| {
            world.set("count", world.get("count") + 1);
            Ok(())
        })
    });
    let config = Config { minimising_runs: 20, ..only(&[Algorithm::Reverse]) };
    let finding = detect(suite, config).finding("a.VictimTest#limited");
    assert!(!finding.partners.minimal);
    assert_eq!(finding.partners.tests.len(), 30);
    assert!(finding.partners.together.reproduced());
}

#[test]
fn an_empty_suite_and_a_single_test_are_done_at_once() {
    let empty = detect(FakeSuite::new(), Config::default());
    assert!(empty.asked.is_empty() && empty.detection.is_complete());
    let single = detect(FakeSuite::new().test("a.T#x", nothing), Config::default());
    assert_eq!(single.asked.len(), 3, "the reference runs tell everything");
    assert_eq!(single.detection.coverage().pairs.fraction(), 1.0);
}

#[test]
fn findings_survive_json() {
    let suite = FakeSuite::new()
        .test("a.T#victim", expects("x", 0))
        .test("a.T#polluter", sets("x", 1))
        .test("a.T#cleaner", sets("x", 0));
    let comparison = Comparison::PassFail;
    let config = Config { all_partners: true, cleaners: true, comparison, ..Config::default() };
    let findings = detect(suite, config).detection.findings();
    let json = serde_json::to_string(&findings).unwrap();
    assert!(json.contains(r#""comparison":"pass-fail""#));
    assert!(json.contains(r#""role":"victim""#) && json.contains(r#""algorithm":"reverse""#));
    assert_eq!(serde_json::from_str::<Vec<Finding>>(&json).unwrap(), findings);
}

/// Two polluters of the same state: what fails in the default order is due to the
/// one that comes before it there, whoever was found first.
#[test]
fn what_differs_by_default_is_explained_by_who_runs_before_it_there() {
    let late = |world: &mut World| {
        world.set("cache", 2);
        world.set("mode", 1);
        Ok(())
    };
    let suite = FakeSuite::new()
        .test("a.VictimTest#first", expects("mode", 0))
        .test("b.PolluterTest#early", sets("cache", 1))
        .test("c.VictimTest#second", expects("cache", 0))
        .test("d.PolluterTest#late", late);
    let done = detect(suite, only(&[Algorithm::Reverse, Algorithm::Isolate]));
    assert_eq!(partners(&done.finding("a.VictimTest#first")), ["d.PolluterTest#late"]);
    let second = done.finding("c.VictimTest#second");
    assert_eq!(second.in_default_order.kind(), OutcomeKind::Failed);
    assert_eq!(partners(&second), ["b.PolluterTest#early"]);
}

#[test]
fn of_two_ways_to_fail_the_one_of_the_default_order_is_explained() {
    let victim = |world: &mut World| match world.get("cache") {
        0 => Ok(()),
        value => Err(world.failed_at(value as i32)),
    };
    let suite = FakeSuite::new()
        .test("a.PolluterTest#early", sets("cache", 1))
        .test("b.VictimTest#fails", victim)
        .test("c.PolluterTest#late", sets("cache", 2));
    let done = detect(suite, only(&[Algorithm::Reverse]));
    let finding = done.finding("b.VictimTest#fails");
    assert_eq!(finding.role, Role::Victim);
    assert_eq!(partners(&finding), ["a.PolluterTest#early"]);
}
