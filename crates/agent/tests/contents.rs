//! What tests leave in objects that they made, comparable between runs.

#![allow(clippy::unwrap_used)] // in a test, to panic is to fail

mod common;

use std::collections::BTreeMap;

use common::jvms;
use residue_model::trace::{EpochIndex, Held, LocationName, Trace};

/// What an epoch left, by field or index: the digest of a value, or `None` for
/// an object and for what cannot be compared.
fn left_by(trace: &Trace, epoch: u32) -> BTreeMap<String, (Held, bool)> {
    let contents = trace.contents.iter().filter(|content| content.epoch == EpochIndex(epoch));
    let named = contents.map(|content| {
        let name = match &content.location {
            LocationName::StaticField { class, field } => format!("{class}.{field}"),
            LocationName::Field { class, field, .. } => format!("{class}.{field}"),
            LocationName::Elements { object, first, .. } => {
                format!("{}[{first}]", trace.object(*object).class)
            }
            LocationName::SystemProperty { .. }
            | LocationName::Undescribed { .. }
            | LocationName::Outside(_) => panic!("{content:?}"),
        };
        (name, (content.held, content.is_fixed))
    });
    named.collect()
}

fn values(left: &BTreeMap<String, (Held, bool)>) -> BTreeMap<&str, u64> {
    let value = |(name, (held, _)): (_, &(Held, bool))| match held {
        Held::Value(digest) => Some((name, *digest)),
        Held::Object(_) | Held::Unknown => None,
    };
    left.iter().map(|(name, held)| (name.as_str(), held)).filter_map(value).collect()
}

#[test]
fn equal_objects_hold_the_same_and_others_what_differs() {
    for jvm in jvms() {
        let trace = common::run(&jvm, "", &["Scenario", "Contents"]).quiet("Contents");
        let [first, same, number, other, opaque] = [0, 1, 2, 3, 4].map(|at| left_by(&trace, at));
        assert_eq!(values(&first), values(&same), "JDK {}", jvm.version);
        let differing = |left: &BTreeMap<_, _>| {
            let (before, now) = (values(&first), values(left));
            let differs = |name: &&&str| before.get(**name) != now.get(**name);
            before.keys().filter(differs).map(|name| name.replace("Contents$Holder.", "")).collect()
        };
        let by_number: Vec<String> = differing(&number);
        // Element 150 is in the block that begins with 128.
        assert_eq!(by_number, ["number", "int[][128]"], "JDK {}", jvm.version);
        let by_rest: Vec<String> = differing(&other);
        for field in ["text", "color", "day"] {
            assert!(by_rest.iter().any(|name| name == field), "{field}: {by_rest:?}");
        }
        for field in ["number", "amount", "price", "nothing"] {
            assert!(by_rest.iter().all(|name| name != field), "{field}: {by_rest:?}");
        }
        assert!(first["Contents$Holder.number"].1, "final fields are fixed");
        assert!(!first["Contents$Holder.text"].1);
        assert!(matches!(first["Contents.left"].0, Held::Object(_)));
        let of_array: Vec<Held> =
            (0..3).map(|at| opaque[&format!("java.lang.Object[][{at}]")].0).collect();
        assert_eq!(of_array[..2], [Held::Unknown, Held::Unknown], "JDK {}", jvm.version);
        assert!(matches!(of_array[2], Held::Value(_)));
    }
}
