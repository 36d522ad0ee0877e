//! Kinds of state that tests seldom notice: caches, counters, random number
//! generators, loggers. By rules in a file, see `harmless.rules`.

use std::sync::LazyLock;

use residue_ignore::Rules;
use residue_model::trace::{PathRoot, Place, PlaceStep};
use serde::Serialize;

use crate::outside::LeftOutside;

/// The rules, with the reason for each.
pub const HARMLESS_RULES: &str = include_str!("harmless.rules");

/// Why state seldom matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Harmless {
    /// A random number generator.
    Random,
    /// A logger.
    Logger,
    /// A cache or pool.
    Cache,
    /// A counter.
    Counter,
    /// A class initialiser did it: that happens once, whoever is the first to
    /// need the class.
    Initialiser,
    /// A thread did it that runs beside the tests, such as that of a server.
    Background,
    /// Its name was made up for it, such as that of a temporary file: no other
    /// test meets it.
    RandomName,
}

const HEADINGS: [(Harmless, &str); 4] = [
    (Harmless::Random, "[random numbers]"),
    (Harmless::Logger, "[loggers]"),
    (Harmless::Cache, "[caches]"),
    (Harmless::Counter, "[counters]"),
];

impl Harmless {
    /// The word for it in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Random => "random numbers",
            Self::Logger => "logger",
            Self::Cache => "cache",
            Self::Counter => "counter",
            Self::Initialiser => "class initialiser",
            Self::Background => "background thread",
            Self::RandomName => "random name",
        }
    }

    /// Outside the heap only names tell.
    pub(crate) fn of_outside(left: &LeftOutside) -> Option<Self> {
        if left.has_random_name {
            Some(Self::RandomName)
        } else {
            left.is_log.then_some(Self::Logger)
        }
    }

    /// What the rules say about a place.
    pub(crate) fn of(place: &Place) -> Option<Self> {
        static RULES: LazyLock<Vec<(Harmless, Rules)>> = LazyLock::new(rules);
        let root = match &place.root {
            PathRoot::Static { class, field } => Some((class, field, true)),
            PathRoot::Thread(_)
            | PathRoot::SystemProperty(_)
            | PathRoot::Outside(_)
            | PathRoot::Unknown => None,
        };
        let steps = place.steps.iter().filter_map(|step| match step {
            PlaceStep::Field { class, field } => Some((class, field, false)),
            PlaceStep::Index(_) | PlaceStep::Key(_) => None,
        });
        let fields: Vec<_> = root.into_iter().chain(steps).collect();
        RULES.iter().find_map(|(kind, rules)| {
            let matches = fields.iter().any(|(class, field, is_static)| {
                !rules.decide(class, field, *is_static, &[]).tracked
            });
            matches.then_some(*kind)
        })
    }
}

fn rules() -> Vec<(Harmless, Rules)> {
    let section = |heading: &str| {
        let lines = HARMLESS_RULES.lines().skip_while(|line| *line != heading).skip(1);
        let lines: Vec<_> = lines.take_while(|line| !line.starts_with('[')).collect();
        // Our own file holds no bad line; a test reads it strictly.
        Rules::none().with_user_text(&lines.join("\n")).unwrap_or_default()
    };
    HEADINGS.iter().map(|(kind, heading)| (*kind, section(heading))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(class: &str, field: &str, steps: &[(&str, &str)]) -> Place {
        Place {
            root: PathRoot::Static { class: class.into(), field: field.into() },
            steps: steps
                .iter()
                .map(|(class, field)| PlaceStep::Field {
                    class: (*class).into(),
                    field: (*field).into(),
                })
                .collect(),
        }
    }

    #[test]
    fn every_section_of_the_file_is_read_and_no_line_is_lost() {
        let read: usize = rules().iter().map(|(_, rules)| rules.iter().count()).sum();
        let lines = HARMLESS_RULES.lines().filter(|line| line.starts_with('-')).count();
        assert_eq!(read, lines);
        assert!(rules().iter().all(|(_, rules)| rules.iter().count() > 0));
    }

    #[test]
    fn state_is_told_by_any_field_on_the_way_to_it() {
        let seed =
            [("java.util.Random", "seed"), ("java.util.concurrent.atomic.AtomicLong", "value")];
        let cases = [
            (place("a.Shuffler", "source", &seed), Some(Harmless::Random)),
            (place("a.Names", "CACHE", &[]), Some(Harmless::Cache)),
            (place("a.Names$StringBufferPool", "buffers", &[]), Some(Harmless::Cache)),
            (place("a.Orders", "nextId", &[]), Some(Harmless::Counter)),
            (place("a.Potion", "byName", &[]), None),
            (place("a.Account", "balance", &[]), None),
        ];
        for (place, expected) in cases {
            assert_eq!(Harmless::of(&place), expected, "{place}");
        }
    }
}
