//! Malformed class files end in a value, whatever is wrong with them.
#![allow(clippy::unwrap_used)] // in a test, to panic is to fail

mod support;

use std::fs;
use std::sync::OnceLock;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use residue_classfile::{ClassFile, summarize, text};
use support::{NamedFields, assembler, class_files, compile};

/// Classes of this crate's tests, of the JDK and of no compiler.
fn classes() -> &'static Vec<Vec<u8>> {
    static CLASSES: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let compiled = compile();
        let mut found: Vec<Vec<u8>> =
            assembler::samples().into_iter().map(|(_, class)| class).collect();
        // Large but for their size no different from others.
        found.retain(|class| class.len() < 10_000);
        found.extend(class_files(compiled.path()).iter().map(|file| fs::read(file).unwrap()));
        let jdk = support::jdk_classes("regex:/java.base/java/util/[A-L][^/]*.class");
        found.extend(class_files(jdk.path()).iter().map(|file| fs::read(file).unwrap()));
        assert!(found.len() > 200);
        found
    })
}

#[derive(Debug, Clone)]
enum Mutation {
    Flip { at: Index, bit: u8 },
    Set { at: Index, byte: u8 },
    Cut { at: Index },
    Remove { at: Index, count: usize },
    Splice { at: Index, from: Index, other: Index, count: usize },
}

fn mutation() -> impl Strategy<Value = Mutation> {
    prop_oneof![
        6 => (any::<Index>(), 0..8_u8).prop_map(|(at, bit)| Mutation::Flip { at, bit }),
        6 => (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Mutation::Set { at, byte }),
        1 => any::<Index>().prop_map(|at| Mutation::Cut { at }),
        1 => (any::<Index>(), 1..9_usize).prop_map(|(at, count)| Mutation::Remove { at, count }),
        2 => (any::<Index>(), any::<Index>(), any::<Index>(), 1..40_usize)
            .prop_map(|(at, from, other, count)| Mutation::Splice { at, from, other, count }),
    ]
}

fn mutate(class: &mut Vec<u8>, mutation: &Mutation) {
    let length = class.len();
    if length == 0 {
        return;
    }
    match mutation {
        Mutation::Flip { at, bit } => class[at.index(length)] ^= 1 << bit,
        Mutation::Set { at, byte } => class[at.index(length)] = *byte,
        Mutation::Cut { at } => class.truncate(at.index(length)),
        Mutation::Remove { at, count } => {
            let at = at.index(length);
            class.drain(at..length.min(at + count));
        }
        Mutation::Splice { at, from, other, count } => {
            let other = other.get(classes());
            let from = from.index(other.len());
            let piece = &other[from..other.len().min(from + count)];
            let at = at.index(length);
            class.splice(at..at, piece.iter().copied());
        }
    }
}

/// Reads and rewrites, and reads the result again.
fn exercise(class: &[u8]) {
    let _ = summarize(class).map(|summary| text(summary.name).into_owned());
    if ClassFile::parse(class).is_err() {
        return;
    }
    for watch in [None, Some(40_000)] {
        let rewritten = support::rewrite_watching(class, &mut NamedFields::default(), watch);
        if let Some(bytes) = rewritten.bytes {
            assert_eq!(summarize(&bytes), summarize(class), "only code and constants change");
            // What was added is small: a few bytes for each byte of code.
            assert!(bytes.len() < class.len() * 16 + 4_096);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, ..ProptestConfig::default() })]

    #[test]
    fn mutated_classes_end_in_a_value(
        which in any::<Index>(),
        mutations in vec(mutation(), 1..6),
    ) {
        let mut class = which.get(classes()).clone();
        for mutation in &mutations {
            mutate(&mut class, mutation);
        }
        exercise(&class);
    }

    /// The bytes after the constant pool, where code and tables are.
    #[test]
    fn mutated_code_ends_in_a_value(
        which in any::<Index>(),
        changes in vec((any::<Index>(), any::<u8>()), 1..4),
    ) {
        let mut class = which.get(classes()).clone();
        let tail = class.len() / 2;
        for (at, byte) in changes {
            let at = tail + at.index(class.len() - tail);
            class[at] = byte;
        }
        exercise(&class);
    }
}

#[test]
fn every_prefix_of_a_class_is_declined() {
    let class = &classes()[0];
    for length in 0..class.len() {
        assert!(ClassFile::parse(&class[..length]).is_err(), "{length} bytes");
    }
}
