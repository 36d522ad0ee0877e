//! One rule.

use std::fmt;

use crate::BadRule;
use crate::glob::Glob;
use crate::parse;

/// What a rule does to the fields it matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effect {
    /// They are left out.
    Ignore,
    /// They are tracked.
    Track,
}

/// Where a rule stands, weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// Line of the built-in file.
    Defaults {
        /// Counted from 1.
        line: u32,
    },
    /// The project's `residue.toml`.
    ProjectFile,
    /// An option of the command.
    CommandLine,
}

/// Which fields are left out, or tracked after all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    pub(crate) effect: Effect,
    pub(crate) origin: Origin,
    /// As the user wrote it, without the sign.
    pub(crate) text: String,
    pub(crate) only: Option<Only>,
    pub(crate) subject: Subject,
}

/// Restriction to one kind of field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Only {
    Static,
    Instance,
}

/// What a rule is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Subject {
    /// Fields by name.
    Fields { classes: Glob, field: Option<Glob> },
    /// Fields that, or whose class, carry an annotation.
    Annotated { annotation: Glob, simple: bool },
}

impl Rule {
    /// Reads a rule with its sign: `- org.acme.Cache`, `+ org.acme.Cache#size`.
    pub fn parse(text: &str, origin: Origin) -> Result<Self, BadRule> {
        parse::signed(text, origin)
    }

    /// Reads what to leave out, without a sign: an entry of `ignore = […]`.
    pub fn ignore(pattern: &str, origin: Origin) -> Result<Self, BadRule> {
        parse::unsigned(pattern, Effect::Ignore, origin)
    }

    /// Reads what to track after all, without a sign: an entry of `track = […]`.
    pub fn track(pattern: &str, origin: Origin) -> Result<Self, BadRule> {
        parse::unsigned(pattern, Effect::Track, origin)
    }

    /// What it does.
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// Where it stands.
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// Whether the rule matches a field of a class it is about.
    pub(crate) fn matches_field(&self, field: &str, is_static: bool, annotations: &[&str]) -> bool {
        let kind = match self.only {
            None => true,
            Some(Only::Static) => is_static,
            Some(Only::Instance) => !is_static,
        };
        kind && match &self.subject {
            Subject::Fields { field: wanted, .. } => {
                wanted.as_ref().is_none_or(|wanted| wanted.matches(field))
            }
            Subject::Annotated { annotation, simple } => annotations.iter().any(|name| {
                let simple_name = name.rsplit(['.', '$']).next().unwrap_or(name);
                annotation.matches(if *simple { simple_name } else { name })
            }),
        }
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ignore => "-",
            Self::Track => "+",
        })
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Defaults { line } => write!(f, "default rules, line {line}"),
            Self::ProjectFile => f.write_str("residue.toml"),
            Self::CommandLine => f.write_str("command line"),
        }
    }
}

/// The rule and where it stands: `- static java.** (default rules, line 40)`.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} ({})", self.effect, self.text, self.origin)
    }
}
