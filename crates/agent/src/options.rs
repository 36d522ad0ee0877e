//! The text after the library on the `-agentpath` line: `out=FILE,hook=FOLDER`,
//! and optionally `rules=FILE`, `marks=no`, `ahead=no`, `pollution=test` or
//! `pollution=class`, and once or more `code=FOLDER`. In values `%2C` stands for a
//! comma and `%25` for a percent sign.

use std::path::PathBuf;

/// What the agent was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Options {
    /// Where the trace goes.
    pub(crate) out: PathBuf,
    /// Where the hook classes are: `java/lang/ResidueHook.class` and others.
    pub(crate) hook: PathBuf,
    /// The user's rules about fields that are not tracked.
    pub(crate) rules: Option<PathBuf>,
    /// Whether old objects may be told by their mark words.
    pub(crate) marks: bool,
    /// Whether classes of the JDK are rewritten before it loads them.
    pub(crate) ahead: bool,
    /// Between which points what is left changed is looked for.
    pub(crate) captures: Captures,
    /// Folders with the project's own classes, of which is to be told when
    /// which code runs.
    pub(crate) code: Vec<PathBuf>,
}

/// What is compared with what, to find pollution. The numbers are those of
/// `ResidueUndo`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Captures {
    /// Nothing: no undo log is kept.
    Nothing = 0,
    /// The state after each test with that before it.
    Tests = 1,
    /// The state after each class, its fixtures included, with that before it.
    Classes = 2,
}

/// Options that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadOptions {
    #[error(
        "the agent's option `{0}` is unknown; there are out, hook, rules, marks, ahead, pollution and code"
    )]
    Unknown(String),
    #[error("the agent's option `{name}` lacks a value; write {name}=VALUE")]
    NoValue { name: String },
    #[error("the agent's option `{name}` is `{value}`; it can be yes or no")]
    NoSwitch { name: String, value: String },
    #[error("the agent's option `pollution` is `{0}`; it can be test or class")]
    BadCaptures(String),
    #[error("the agent's option `{0}` is missing")]
    Missing(&'static str),
}

/// What could be read of a line, even if it cannot be used as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parsed {
    /// Where to put the trace, be it one that only says what went wrong.
    pub(crate) out: Option<PathBuf>,
    pub(crate) options: Result<Options, BadOptions>,
}

pub(crate) fn parse(line: &str) -> Parsed {
    let (mut out, mut hook, mut rules) = (None, None, None);
    let (mut marks, mut ahead) = (true, true);
    let (mut captures, mut code) = (Captures::Nothing, Vec::new());
    let mut bad = None;
    for part in line.split(',').filter(|part| !part.is_empty()) {
        let Some((name, value)) = part.split_once('=') else {
            bad.get_or_insert(BadOptions::NoValue { name: part.into() });
            continue;
        };
        let value = value.replace("%2C", ",").replace("%25", "%");
        match (name, value.as_str()) {
            ("out", _) => out = Some(PathBuf::from(value)),
            ("hook", _) => hook = Some(PathBuf::from(value)),
            ("code", _) => code.push(PathBuf::from(value)),
            ("rules", _) => rules = Some(PathBuf::from(value)),
            ("marks", "yes" | "no") => marks = value == "yes",
            ("ahead", "yes" | "no") => ahead = value == "yes",
            ("pollution", "test") => captures = Captures::Tests,
            ("pollution", "class") => captures = Captures::Classes,
            ("pollution", _) => _ = bad.get_or_insert(BadOptions::BadCaptures(value)),
            ("marks" | "ahead", _) => {
                bad.get_or_insert(BadOptions::NoSwitch { name: name.into(), value });
            }
            _ => _ = bad.get_or_insert(BadOptions::Unknown(name.into())),
        }
    }
    let options = match (bad, out.clone(), hook) {
        (Some(bad), _, _) => Err(bad),
        (None, None, _) => Err(BadOptions::Missing("out")),
        (None, _, None) => Err(BadOptions::Missing("hook")),
        (None, Some(out), Some(hook)) => {
            Ok(Options { out, hook, rules, marks, ahead, captures, code })
        }
    };
    Parsed { out, options }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_may_have_commas_and_percent_signs() {
        let parsed = parse("out=/a%2Cb/50%25/t,hook=/h,rules=/r=1,code=/c,code=/c%2Cd");
        let expected = Options {
            out: "/a,b/50%/t".into(),
            hook: "/h".into(),
            rules: Some("/r=1".into()),
            marks: true,
            ahead: true,
            captures: Captures::Nothing,
            code: vec!["/c".into(), "/c,d".into()],
        };
        assert_eq!(parsed.options, Ok(expected));
    }

    #[test]
    fn pollution_is_looked_for_only_if_asked() {
        let captures = |line| parse(line).options.map(|options| options.captures);
        assert_eq!(captures("out=/t,hook=/h"), Ok(Captures::Nothing));
        assert_eq!(captures("out=/t,hook=/h,pollution=class"), Ok(Captures::Classes));
        let bad = BadOptions::BadCaptures("suite".into());
        assert_eq!(captures("out=/t,hook=/h,pollution=suite"), Err(bad));
    }

    #[test]
    fn a_bad_line_still_tells_where_to_complain() {
        let parsed = parse("frobnicate=1,out=/t,hook=/h");
        assert_eq!(parsed.out, Some("/t".into()));
        assert_eq!(parsed.options, Err(BadOptions::Unknown("frobnicate".into())));
        assert_eq!(parse("out=/t").options, Err(BadOptions::Missing("hook")));
        assert_eq!(parse("").options, Err(BadOptions::Missing("out")));
        assert_eq!(parse("out").options, Err(BadOptions::NoValue { name: "out".into() }));
        let no_switch = BadOptions::NoSwitch { name: "ahead".into(), value: "x".into() };
        assert_eq!(parse("ahead=x").options, Err(no_switch));
    }
}
