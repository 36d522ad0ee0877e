//! Host to runner.

use residue_model::{Framework, Provider, StandIns};

use crate::bytes::Put;
use crate::frames::put_frame;
use crate::stand_in::put_stand_ins;

/// What the host tells a JVM: one `Configure`, then one `List` or `Run`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Sent at once, so that a JVM started ahead can prepare itself.
    Configure(Configuration),
    /// List the tests of these classes.
    List {
        /// Binary class names in the build's order.
        classes: Vec<String>,
        /// TestNG suite files that replace the class selection.
        testng_suites: Vec<String>,
    },
    /// Run exactly these tests in exactly this order.
    Run {
        /// The tests.
        items: Vec<RunItem>,
        /// What to do to static fields on the way.
        stand_ins: StandIns,
    },
}

/// How the JVM is to be set up before any class of the suite is loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Configuration {
    /// What `java.class.path` shall say: the build's own order, without us.
    pub class_path: String,
    /// System properties to set.
    pub system_properties: Vec<(String, String)>,
    /// Which adapters may run tests.
    pub provider: Provider,
    /// Groups, tags or categories to include.
    pub groups: Option<String>,
    /// Groups, tags or categories to leave out.
    pub excluded_groups: Option<String>,
    /// Configuration parameters for the JUnit Platform.
    pub platform_parameters: Vec<(String, String)>,
    /// Classes of listeners that the build adds.
    pub listeners: Vec<String>,
    /// Unguessable text in the marks that tell whose output is whose.
    pub output_mark: String,
}

/// One test of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunItem {
    /// Its name.
    pub id: String,
    /// Which adapter listed it.
    pub framework: Framework,
    /// What that adapter gave to find it again.
    pub locator: String,
}

impl Command {
    /// Appends the frame of this command.
    pub fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Configure(configuration) => put_frame(out, 1, |out| configuration.put(out)),
            Self::List { classes, testng_suites } => put_frame(out, 2, |out| {
                out.put_list(classes, |out, class| out.put_text(class));
                out.put_list(testng_suites, |out, file| out.put_text(file));
            }),
            Self::Run { items, stand_ins } => put_frame(out, 3, |out| {
                out.put_list(items, |out, item| {
                    out.put_u8(framework_byte(item.framework));
                    out.put_text(&item.id);
                    out.put_text(&item.locator);
                });
                put_stand_ins(out, stand_ins);
            }),
        }
    }
}

impl Configuration {
    fn put(&self, out: &mut Vec<u8>) {
        out.put_text(&self.class_path);
        out.put_pairs(&self.system_properties);
        out.put_u8(match self.provider {
            Provider::Auto => 0,
            Provider::JUnit4 => 1,
            Provider::Platform => 2,
            Provider::TestNg => 3,
        });
        out.put_optional_text(self.groups.as_deref());
        out.put_optional_text(self.excluded_groups.as_deref());
        out.put_pairs(&self.platform_parameters);
        out.put_list(&self.listeners, |out, class| out.put_text(class));
        out.put_text(&self.output_mark);
    }
}

const FRAMEWORKS: [Framework; 4] =
    [Framework::JUnit3, Framework::JUnit4, Framework::Platform, Framework::TestNg];

fn framework_byte(framework: Framework) -> u8 {
    match framework {
        Framework::JUnit3 => 0,
        Framework::JUnit4 => 1,
        Framework::Platform => 2,
        Framework::TestNg => 3,
    }
}

pub(crate) fn framework_of_byte(byte: u8) -> Option<Framework> {
    FRAMEWORKS.into_iter().find(|framework| framework_byte(*framework) == byte)
}

#[cfg(test)]
mod tests {
    use residue_model::trace::{AccessPath, PathRoot, Step};
    use residue_model::{
        FieldValue, Primitive, PutBack, StandIn, StatePath, StaticField, WatchedField,
    };

    use super::*;

    #[test]
    fn a_run_command_has_the_documented_bytes() {
        let item =
            RunItem { id: "A#m".into(), framework: Framework::Platform, locator: "ü".into() };
        let mut out = Vec::new();
        let field = || StaticField { class: "C".into(), name: "f".into() };
        let value = FieldValue::Primitive { of: Primitive::Int, bits: -2 };
        let path = AccessPath {
            root: PathRoot::Static { class: "C".into(), field: "f".into() },
            steps: vec![Step::Elements { first: 1, last: 2 }],
        };
        let stand_ins = StandIns {
            put: vec![StandIn { before: 0, field: field(), value }],
            watched: vec![WatchedField { after: 0, field: field() }],
            put_back: vec![PutBack { before: 1, path: StatePath::at(path).unwrap() }],
        };
        Command::Run { items: vec![item], stand_ins }.encode(&mut out);
        let name = [0, 0, 0, 1, b'C', 0, 0, 0, 1, b'f'];
        let expected = [
            &[0, 0, 0, 96, 3][..], // length and kind
            &[0, 0, 0, 1, 2],      // one item, Platform
            &[0, 0, 0, 3, b'A', b'#', b'm'],
            &[0, 0, 0, 2, 0xC3, 0xBC],
            &[0, 0, 0, 1, 0, 0, 0, 0], // one value, before the first test
            &name,
            &[b'I', 255, 255, 255, 255, 255, 255, 255, 254],
            &[0, 0, 0, 1, 0, 0, 0, 0], // one field to look at, after the first test
            &name,
            &[0, 0, 0, 1, 0, 0, 0, 1, 1], // one to put back before the second, in a static field
            &name,
            &[0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 2], // some elements of what is in it
        ]
        .concat();
        assert_eq!(out, expected);
    }

    #[test]
    fn every_framework_has_its_own_byte() {
        for framework in FRAMEWORKS {
            assert_eq!(framework_of_byte(framework_byte(framework)), Some(framework));
        }
        assert_eq!(framework_of_byte(9), None);
    }
}
