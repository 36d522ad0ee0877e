//! Findings that the same tests cause in the same role: usually one bug.

use residue_detect::{Finding, PartnerSet, Role};
use residue_model::TestId;

use crate::units::count;

/// A finding with its number in the store, as the user types it.
pub type Numbered = (String, Finding);

pub(crate) struct Group<'a> {
    pub(crate) partners: &'a PartnerSet,
    pub(crate) members: Vec<&'a Numbered>,
    role: Role,
}

/// Of each group of findings the one that stands for it, largest group first.
pub fn examples(findings: &[Numbered]) -> Vec<&Numbered> {
    groups(findings).iter().map(Group::example).collect()
}

/// The largest first.
pub(crate) fn groups(findings: &[Numbered]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for numbered in findings {
        let finding = &numbered.1;
        let same = |group: &&mut Group<'_>| {
            group.role == finding.role && group.partners.tests == finding.partners.tests
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.members.push(numbered),
            None => groups.push(Group {
                partners: &finding.partners,
                members: vec![numbered],
                role: finding.role,
            }),
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.members.len()));
    groups
}

impl<'a> Group<'a> {
    /// The one that is shown in full.
    pub(crate) fn example(&self) -> &'a Numbered {
        self.members[0]
    }

    /// What its tests are, in a word that fits the column.
    pub(crate) fn label(&self) -> &'static str {
        match self.role {
            Role::FailsDifferently => "affected",
            role => role.as_str(),
        }
    }

    pub(crate) fn title(&self) -> String {
        let tests = count(self.members.len(), "test");
        let who = match self.partners.tests.as_slice() {
            [one] => short(one),
            several => format!("{} together", count(several.len(), "test")),
        };
        let with_s = |word: &str, is_one: bool| format!("{word}{}", if is_one { "s" } else { "" });
        let one = self.members.len() == 1;
        let alone = self.partners.tests.len() == 1;
        match self.role {
            Role::Brittle => format!("{tests} {} {who}", with_s("need", one)),
            Role::FailsDifferently => {
                format!("{who} {} how {tests} {}", with_s("change", alone), with_s("fail", one))
            }
            _ => format!("{who} {} {tests} fail", with_s("make", alone)),
        }
    }
}

/// The simple class name and the method: enough for a title.
fn short(test: &TestId) -> String {
    let text = test.as_str();
    let class = test.class();
    let package = class.rfind('.').map_or(0, |dot| dot + 1);
    text[package..].to_owned()
}
