//! Which state outside the heap makes dependencies.

use residue_model::trace::OutsideKind;

use crate::glob;

/// The rules that are built in, with their reasons.
pub const DEFAULTS: &str = include_str!("defaults.rules");

/// What a rule may be about, by the word before the colon.
const SUBJECTS: [&str; 5] = ["file", "variable", "port", "peer", "socket"];

/// A rule that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadRule {
    /// It starts with neither sign.
    #[error("the rule `{0}` has no sign: write `-` to leave something out, `+` to take it in")]
    NoSign(String),
    /// Nobody knows what it is about.
    #[error(
        "`{0}` is no state outside the heap: write file:PATH, variable:NAME, port:NUMBER, \
         peer:HOST:PORT or socket:PATH"
    )]
    NoSubject(String),
}

/// Whether a pattern speaks of state outside the heap rather than of fields.
pub fn is_about_outside(pattern: &str) -> bool {
    subject(pattern).is_some()
}

fn subject(pattern: &str) -> Option<(&str, &str)> {
    pattern.split_once(':').filter(|(word, _)| SUBJECTS.contains(word))
}

/// What the words in braces stand for; a word may stand for several places.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    /// The JDK that runs the tests.
    pub jdk: String,
    /// Jars and folders.
    pub class_path: Vec<String>,
    /// The folder in which the tests run.
    pub project: String,
    /// The temporary folder of the run.
    pub temp: String,
    /// The user's home folder.
    pub home: String,
    /// Residue's own files.
    pub own: Vec<String>,
}

impl Places {
    fn of(&self, word: &str) -> Vec<String> {
        let all = match word {
            "jdk" => vec![self.jdk.clone()],
            "class-path" => self.class_path.clone(),
            "project" => vec![self.project.clone()],
            "temp" => vec![self.temp.clone()],
            "home" => vec![self.home.clone()],
            "own" => self.own.clone(),
            _ => vec![],
        };
        all.into_iter().filter(|place| !place.is_empty()).collect()
    }
}

#[derive(Debug, Clone)]
struct Rule {
    watches: bool,
    subject: String,
    pattern: String,
}

/// Rules for one project.
#[derive(Debug, Clone)]
pub struct Rules {
    rules: Vec<Rule>,
}

impl Rules {
    /// The defaults, then the user's own, one a line in both.
    pub fn new(user: &str, places: &Places) -> Result<Self, BadRule> {
        let mut rules = Vec::new();
        for line in DEFAULTS.lines().chain(user.lines()).map(str::trim) {
            if !line.is_empty() && !line.starts_with('#') {
                add(&mut rules, line, places)?;
            }
        }
        Ok(Self { rules })
    }

    /// Whether something makes dependencies.
    pub fn watches(&self, kind: OutsideKind, name: &str) -> bool {
        let wanted = match kind {
            OutsideKind::FileContent
            | OutsideKind::FileName
            | OutsideKind::FileMetadata
            | OutsideKind::FolderListing => "file",
            OutsideKind::Port => "port",
            OutsideKind::Peer => "peer",
            OutsideKind::UnixSocket => "socket",
            OutsideKind::Variable => "variable",
            OutsideKind::WorkingDirectory => return true,
        };
        let mut about = self.rules.iter().rev().filter(|rule| rule.subject == wanted);
        about.find(|rule| glob::matches(&rule.pattern, name)).is_none_or(|rule| rule.watches)
    }

    /// Files and folders (with a slash at the end) that need not even be
    /// looked at while the tests run.
    pub fn unwatched_places(&self) -> Vec<String> {
        let files = || self.rules.iter().enumerate().filter(|(_, rule)| rule.subject == "file");
        let left_out = files().filter(|(_, rule)| !rule.watches);
        let places = left_out.filter_map(|(at, rule)| {
            let folder = rule.pattern.strip_suffix("**").filter(|folder| folder.ends_with('/'));
            let place = folder.unwrap_or(&rule.pattern);
            (!place.contains('*')).then_some((at, place))
        });
        let taken_in_later = |at: usize, place: &str| {
            files().filter(|(later, rule)| *later > at && rule.watches).any(|(_, rule)| {
                let start = rule.pattern.split('*').next().unwrap_or_default();
                start.starts_with(place) || place.starts_with(start)
            })
        };
        let kept = places.filter(|(at, place)| !taken_in_later(*at, place));
        kept.map(|(_, place)| place.to_owned()).collect()
    }
}

fn add(rules: &mut Vec<Rule>, line: &str, places: &Places) -> Result<(), BadRule> {
    let watches = line.starts_with('+');
    let Some(text) = line.strip_prefix(['+', '-']).map(str::trim) else {
        return Err(BadRule::NoSign(line.into()));
    };
    let Some((subject, pattern)) = subject(text) else {
        return Err(BadRule::NoSubject(text.into()));
    };
    for pattern in filled_in(pattern, places) {
        rules.push(Rule { watches, subject: subject.into(), pattern });
    }
    Ok(())
}

fn filled_in(pattern: &str, places: &Places) -> Vec<String> {
    let Some((before, rest)) = pattern.split_once('{') else { return vec![pattern.into()] };
    let Some((word, after)) = rest.split_once('}') else { return vec![pattern.into()] };
    places.of(word).into_iter().map(|place| format!("{before}{place}{after}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(user: &str) -> Rules {
        let places = Places {
            jdk: "/jdk".into(),
            class_path: vec!["/p/target/classes".into(), "/repo/a.jar".into()],
            project: "/p".into(),
            temp: "/tmp/run".into(),
            home: "/home/me".into(),
            own: vec!["/tmp/own".into()],
        };
        Rules::new(user, &places).unwrap()
    }

    fn watches(rules: &Rules, path: &str) -> bool {
        rules.watches(OutsideKind::FileContent, path)
    }

    #[test]
    fn what_comes_with_the_system_makes_no_dependency() {
        let rules = rules("");
        for path in ["/proc/self/maps", "/jdk/lib/modules", "/repo/a.jar", "/p/.residue/x"] {
            assert!(!watches(&rules, path), "{path}");
        }
        assert!(!watches(&rules, "/p/target/classes/a/B.class"));
        for path in ["/p/data.txt", "/p/target/classes/a.properties", "/tmp/run/x", "/dev/shm/x"] {
            assert!(watches(&rules, path), "{path}");
        }
    }

    #[test]
    fn the_user_has_the_last_word() {
        let rules = rules("- file:{project}/logs/**\n+ file:/etc/acme.conf\n- variable:CI\n");
        assert!(!watches(&rules, "/p/logs/today"));
        assert!(watches(&rules, "/etc/acme.conf"));
        assert!(!rules.watches(OutsideKind::Variable, "CI"));
        let places = rules.unwatched_places();
        assert!(!places.contains(&"/etc/".to_owned()), "{places:?}");
        assert!(
            places.contains(&"/proc/".to_owned()) && places.contains(&"/repo/a.jar".to_owned())
        );
        assert!(!places.contains(&"/dev/".to_owned()), "there is shared memory");
    }

    #[test]
    fn a_rule_about_nothing_is_refused() {
        let error = Rules::new("- /etc/x", &Places::default()).unwrap_err();
        assert!(error.to_string().contains("file:PATH"), "{error}");
        let error = Rules::new("file:/x", &Places::default()).unwrap_err();
        assert_eq!(error, BadRule::NoSign("file:/x".into()));
    }
}
