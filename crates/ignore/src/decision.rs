//! What the rules say about a field.

use crate::rule::{Effect, Rule};

/// The rules that concern one class.
#[derive(Debug, Clone)]
pub struct ClassRules<'a> {
    /// Strongest first.
    pub(crate) rules: Vec<&'a Rule>,
}

/// Whether a field is tracked, and which rule says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision<'a> {
    /// Whether accesses to the field are recorded and what it holds is followed.
    pub tracked: bool,
    /// The rule that decided; `None` if no rule matches, so that it is tracked.
    pub by: Option<&'a Rule>,
}

impl<'a> ClassRules<'a> {
    /// Decides about a field that the class declares. `annotations` are the
    /// binary names of those of the field and of its class.
    pub fn decide(&self, field: &str, is_static: bool, annotations: &[&str]) -> Decision<'a> {
        let by = self.rules.iter().find(|rule| rule.matches_field(field, is_static, annotations));
        Decision { tracked: by.is_none_or(|rule| rule.effect == Effect::Track), by: by.copied() }
    }
}
