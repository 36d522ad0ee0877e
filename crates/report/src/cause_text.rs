//! How a cause was proved, in words.

use residue_detect::{Finding, Role};

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
