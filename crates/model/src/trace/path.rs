//! How a location is reached: from a static field or a thread, through fields
//! and array elements.

use std::fmt;

use super::{FoundThrough, LocationName, Name, Outside, Trace};

/// Longest way that is followed; longer ones, and circles, end in the unknown.
const LONGEST_WAY: usize = 100_000;

/// Different steps that are shown of a long path, from either end.
const SHOWN_ENDS: usize = 3;

/// The way to a location. Printed `DataSource.data -> DataSource.cloneString`,
/// with simple class names, repeated steps counted and a long middle left out,
/// unless the alternate form `{:#}` asks for all of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AccessPath {
    /// Where it starts.
    pub root: PathRoot,
    /// The steps from there; none if the root is the location itself.
    pub steps: Vec<Step>,
}

/// Where a path starts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PathRoot {
    /// A static field.
    Static {
        /// Binary name of the declaring class.
        class: Name,
        /// Its name.
        field: Name,
    },
    /// A live thread.
    Thread(Name),
    /// A system property, or which ones there are.
    SystemProperty(Option<Name>),
    /// Something outside the heap, to which no steps lead.
    Outside(Outside),
    /// The trace does not tell.
    Unknown,
}

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Step {
    /// Into a field of an object.
    Field {
        /// Binary name of the declaring class.
        class: Name,
        /// Its name.
        field: Name,
    },
    /// Into elements of an array.
    Elements {
        /// Index of the first.
        first: u32,
        /// Index of the last.
        last: u32,
    },
}

impl AccessPath {
    pub(super) fn of(trace: &Trace, location: &LocationName) -> Self {
        let mut steps = Vec::new();
        let mut here = location;
        let root = loop {
            let object = match here {
                LocationName::StaticField { class, field } => {
                    break PathRoot::Static { class: class.clone(), field: field.clone() };
                }
                LocationName::SystemProperty { key } => {
                    break PathRoot::SystemProperty(key.clone());
                }
                LocationName::Outside(outside) => break PathRoot::Outside(outside.clone()),
                LocationName::Undescribed { .. } => break PathRoot::Unknown,
                LocationName::Field { object, class, field } => {
                    steps.push(Step::Field { class: class.clone(), field: field.clone() });
                    *object
                }
                LocationName::Elements { object, first, last } => {
                    steps.push(Step::Elements { first: *first, last: *last });
                    *object
                }
            };
            match &trace.object(object).found_through {
                FoundThrough::Location(outer) if steps.len() < LONGEST_WAY => here = outer,
                FoundThrough::Thread(name) => break PathRoot::Thread(name.clone()),
                FoundThrough::Location(_) | FoundThrough::Unknown => break PathRoot::Unknown,
            }
        };
        steps.reverse();
        Self { root, steps }
    }

    /// The way as far as before the step with this number.
    pub fn up_to(&self, step: usize) -> Self {
        Self { root: self.root.clone(), steps: self.steps[..step].to_vec() }
    }
}

/// In full, unlike in a printed path: `org.acme.DataSource#data`.
impl fmt::Display for PathRoot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Static { class, field } => write!(f, "{class}#{field}"),
            Self::Thread(name) => write!(f, "thread {name:?}"),
            Self::SystemProperty(Some(key)) => write!(f, "system property {key:?}"),
            Self::SystemProperty(None) => f.write_str("listing of system properties"),
            Self::Outside(outside) => write!(f, "{outside}"),
            Self::Unknown => f.write_str("?"),
        }
    }
}

/// The name without its package.
pub fn simple_class_name(class: &str) -> &str {
    class.rsplit('.').next().unwrap_or(class)
}

impl fmt::Display for AccessPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.root {
            PathRoot::Static { class, field } => {
                write!(f, "{}.{field}", simple_class_name(class))?;
            }
            root => write!(f, "{root}")?,
        }
        let counted = counted(&self.steps);
        let left_out = SHOWN_ENDS..counted.len().saturating_sub(SHOWN_ENDS);
        for (position, (step, times)) in counted.iter().enumerate() {
            if !f.alternate() && left_out.len() > 1 && left_out.contains(&position) {
                if position == left_out.start {
                    f.write_str(" -> …")?;
                }
                continue;
            }
            write!(f, "{step}")?;
            if *times > 1 {
                write!(f, " ({times} times)")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field { class, field } => write!(f, " -> {}.{field}", simple_class_name(class)),
            Self::Elements { first, last } if first == last => write!(f, "[{first}]"),
            Self::Elements { first, last } => write!(f, "[{first}..{last}]"),
        }
    }
}

/// Steps in sequence, each with how often it is taken: in a linked list or a
/// tree the same one is taken over and over.
fn counted(steps: &[Step]) -> Vec<(&Step, usize)> {
    steps.chunk_by(|a, b| a == b).map(|same| (&same[0], same.len())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Location, LocationId, Object, ObjectId};

    fn object(class: &str, found_through: LocationName) -> Object {
        let found_through = FoundThrough::Location(found_through);
        Object { id: 0, class: class.into(), length: None, creator: None, found_through }
    }

    fn field(object: u32, class: &str, field: &str) -> LocationName {
        LocationName::Field { object: ObjectId(object), class: class.into(), field: field.into() }
    }

    fn root() -> LocationName {
        LocationName::StaticField { class: "a.DataSource".into(), field: "data".into() }
    }

    fn path(objects: Vec<Object>, name: LocationName) -> AccessPath {
        let locations = vec![Location { name, creator: None }];
        Trace { objects, locations, ..Trace::default() }.path(LocationId(0))
    }

    fn shown(objects: Vec<Object>, name: LocationName) -> String {
        path(objects, name).to_string()
    }

    #[test]
    fn a_path_goes_from_the_static_root_through_fields_and_elements() {
        let element = LocationName::Elements { object: ObjectId(1), first: 5, last: 5 };
        let objects = vec![
            object("java.util.HashMap", root()),
            object("java.util.HashMap$Node[]", field(0, "java.util.HashMap", "table")),
            object("java.util.HashMap$Node", element),
        ];
        assert_eq!(
            shown(objects, field(2, "java.util.HashMap$Node", "value")),
            "DataSource.data -> HashMap.table[5] -> HashMap$Node.value"
        );
        assert_eq!(shown(vec![], root()), "DataSource.data");
    }

    #[test]
    fn a_system_property_is_its_key() {
        let property =
            |key: Option<&str>| LocationName::SystemProperty { key: key.map(Into::into) };
        assert_eq!(shown(vec![], property(Some("a.mode"))), r#"system property "a.mode""#);
        assert_eq!(shown(vec![], property(None)), "listing of system properties");
        let shade = vec![object("a.Shade", property(Some("a.mode")))];
        let depth = field(0, "a.Shade", "depth");
        assert_eq!(shown(shade, depth), r#"system property "a.mode" -> Shade.depth"#);
    }

    #[test]
    fn the_same_step_over_and_over_is_counted() {
        let next = |at| field(at, "a.Node", "next");
        let objects = vec![object("a.Node", root()), object("a.Node", next(0))];
        let objects = [objects, (1..50).map(|at| object("a.Node", next(at))).collect()].concat();
        assert_eq!(shown(objects, next(50)), "DataSource.data -> Node.next (51 times)");
    }

    #[test]
    fn a_long_way_shows_both_ends() {
        let step = |at: u32| field(at, "a.Node", &format!("f{at}"));
        let objects = std::iter::once(object("a.Node", root()))
            .chain((0..30).map(|at| object("a.Node", step(at))))
            .collect();
        let path = path(objects, step(30));
        assert_eq!(
            path.to_string(),
            "DataSource.data -> Node.f0 -> Node.f1 -> Node.f2 -> … -> Node.f28 -> Node.f29 -> Node.f30"
        );
        let all = format!("{path:#}");
        assert!(all.contains("Node.f14 -> Node.f15 -> Node.f16"), "{all}");
    }

    #[test]
    fn a_circle_ends_in_the_unknown() {
        let objects = vec![object("a.Node", field(0, "a.Node", "next"))];
        assert!(shown(objects, field(0, "a.Node", "next")).starts_with("? -> Node.next ("));
    }
}
