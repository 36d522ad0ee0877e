//! How a cause was proved, in words.

use residue_detect::{Finding, Role};
use residue_model::{Failure, Outcome};

use crate::units::count;

/// In how many of how many runs it held.
type Rate = (usize, usize);

pub(crate) fn put_back_text(finding: &Finding, rate: Rate) -> String {
    format!("put back before the test, it {}", ends_as_alone(finding, rate))
}

pub(crate) fn initialised_first_text(finding: &Finding, rate: Rate) -> String {
    format!("if that happens first of all, the test {}", ends_as_alone(finding, rate))
}

fn ends_as_alone(finding: &Finding, (held, runs): Rate) -> String {
    let ends = match finding.role {
        Role::Victim => "passes",
        Role::Brittle => "fails as it does alone",
        _ => "ends as it does alone",
    };
    format!("{ends} in {held} of {}", count(runs, "run"))
}

/// The class that could not be initialised when it was first used, if a failure says
/// so: whoever uses it later fails in another way.
pub(crate) fn failed_initialiser(finding: &Finding) -> Option<&str> {
    let outcomes = [&finding.partners.together.outcome, &finding.alone.outcome];
    outcomes.into_iter().filter_map(Outcome::failure).find_map(uninitialised_class)
}

fn uninitialised_class(failure: &Failure) -> Option<&str> {
    let causes = std::iter::successors(Some(failure), |failure| failure.cause.as_deref());
    causes
        .filter(|failure| failure.exception == "java.lang.NoClassDefFoundError")
        .find_map(|failure| failure.message.as_deref()?.strip_prefix("Could not initialize class "))
}

/// What that means.
pub(crate) const NOT_TRIED_AGAIN: &str =
    "which could not be initialised when it was first used: the JVM does not try again";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_that_the_jvm_gave_up_is_named() {
        let failure = |exception: &str, message: &str, cause| Failure {
            exception: exception.into(),
            message: Some(message.into()),
            frames: Vec::new(),
            cause,
        };
        let gone = "Could not initialize class a.Home";
        let gone = || failure("java.lang.NoClassDefFoundError", gone, None);
        assert_eq!(uninitialised_class(&gone()), Some("a.Home"));
        let wrapped = failure("a.SetUpFailed", "no home", Some(Box::new(gone())));
        assert_eq!(uninitialised_class(&wrapped), Some("a.Home"));
        let missing = failure("java.lang.NoClassDefFoundError", "a/Home", None);
        assert_eq!(uninitialised_class(&missing), None);
    }
}
