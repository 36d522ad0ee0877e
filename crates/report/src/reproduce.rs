//! Commands that show an order again, to be pasted into a shell.

use residue_model::{Suite, TestId, TestOrder};

use crate::CalledWith;
use crate::called_with::quoted;

/// The order through residue.
pub(crate) fn residue_command(
    order: &TestOrder,
    restore: bool,
    called_with: &CalledWith,
) -> String {
    let tests: Vec<&str> = order.tests().iter().map(TestId::as_str).collect();
    let restore = if restore { " --restore" } else { "" };
    called_with.running(&format!("run{restore} --tests {}", quoted(&tests.join(","))))
}

/// The order through Surefire alone, where it has the means: it orders classes
/// by name, but never the methods of a class, and cannot pick an invocation of
/// a parameterised test.
pub(crate) fn surefire_command(
    order: &TestOrder,
    suite: &Suite,
    called_with: &CalledWith,
) -> Option<String> {
    let tests = order.tests();
    let plain = |test: &TestId| !test.as_str().contains(['[', '$', '*']);
    let cases = suite.resolve(order).ok()?;
    let one_framework = cases.windows(2).all(|pair| pair[0].framework == pair[1].framework);
    if !tests.iter().all(plain) || !one_framework {
        return None;
    }
    let classes: Vec<&str> = tests.iter().map(TestId::class).collect();
    let run_order = match classes.as_slice() {
        [_] => "alphabetical",
        several if several.is_sorted_by(|a, b| a < b) => "alphabetical",
        several if several.is_sorted_by(|a, b| a > b) => "reversealphabetical",
        _ => return None,
    };
    let tests: Vec<&str> = tests.iter().map(TestId::as_str).collect();
    let tests = quoted(&tests.join(","));
    Some(called_with.maven(&format!(
        "test -Dtest={tests} -Dsurefire.runOrder={run_order} \
         -Dsurefire.failIfNoSpecifiedTests=false"
    )))
}

#[cfg(test)]
mod tests {
    use residue_model::{Framework, TestCase};

    use super::*;

    fn order_and_suite(ids: &[&str]) -> (TestOrder, Suite) {
        let case = |id: &&str| TestCase {
            id: id.parse().unwrap(),
            framework: Framework::JUnit4,
            locator: String::new(),
        };
        let suite = Suite { tests: ids.iter().map(case).collect(), unlistable: vec![] };
        (suite.default_order().unwrap(), suite)
    }

    fn surefire(ids: &[&str]) -> Option<String> {
        let (order, suite) = order_and_suite(ids);
        surefire_command(&order, &suite, &CalledWith::default())
    }

    #[test]
    fn classes_in_the_order_of_their_names_or_against_it_have_a_surefire_command() {
        assert!(surefire(&["a.A#x", "a.B#y"]).unwrap().contains("runOrder=alphabetical"));
        assert!(surefire(&["a.B#y", "a.A#x"]).unwrap().contains("runOrder=reversealphabetical"));
    }

    #[test]
    fn what_surefire_cannot_order_has_no_surefire_command() {
        assert_eq!(surefire(&["a.A#x", "a.A#y"]), None, "methods of one class");
        assert_eq!(surefire(&["a.A#x", "a.C#y", "a.B#z"]), None, "neither way round");
        assert_eq!(surefire(&["a.A#x", "a.B#y[1]"]), None, "one invocation");
    }

    #[test]
    fn a_quote_in_a_test_name_survives_the_shell() {
        let (order, _) = order_and_suite(&["a.Spec#it's fine"]);
        let command = residue_command(&order, false, &CalledWith::default());
        assert_eq!(command, r"residue run --tests 'a.Spec#it'\''s fine'");
    }
}
