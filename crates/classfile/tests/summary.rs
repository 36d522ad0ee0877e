//! What a summary tells of a compiled class.
#![allow(clippy::unwrap_used)] // in a test, to panic is to fail

mod support;

use std::fs;

use residue_classfile::{ClassFile, Decline, summarize};
use support::assembler::{ACC_STATIC, ClassBuilder, words};

#[test]
fn a_summary_has_the_declarations_in_their_order() {
    let classes = support::compile();
    let bytes = fs::read(classes.path().join("Finals.class")).unwrap();
    let summary = summarize(&bytes).unwrap();
    assert_eq!(summary.name, b"Finals");
    assert_eq!(summary.super_name, Some(b"java/lang/Object".as_slice()));
    assert_eq!(summary.interfaces, [b"java/lang/Comparable"]);
    assert_eq!(summary.version, 55);
    assert!(summary.has_class_initializer);
    assert_eq!(summary.annotations, [&b"Ljava/lang/Deprecated;"[..], b"LFinals$Why;"]);
    let fields: Vec<(&[u8], bool, bool, usize)> = summary
        .fields
        .iter()
        .map(|field| (field.name, field.is_static(), field.is_final(), field.annotations.len()))
        .collect();
    let expected: [(&[u8], bool, bool, usize); 3] = [
        (b"CONSTANT", true, true, 0),
        (b"own", false, true, 1),
        (b"$assertionsDisabled", true, true, 0),
    ];
    assert_eq!(fields, expected);
    let class = ClassFile::parse(&bytes).unwrap();
    assert!(class.methods().any(|method| method.name == b"run"));
}

#[test]
fn a_class_names_its_source_its_constants_and_other_classes() {
    let classes = support::compile();
    let bytes = fs::read(classes.path().join("Finals.class")).unwrap();
    let class = ClassFile::parse(&bytes).unwrap();
    assert_eq!(class.source_file(), Some(b"Finals.java".as_slice()));
    assert_eq!(class.shared_constants().count(), 0, "its value is made at run time");
    let mentioned = class.mentioned_classes();
    for named in [&b"java/lang/Comparable"[..], b"Finals$Why", b"java/lang/Deprecated"] {
        assert!(mentioned.contains(named), "{}", String::from_utf8_lossy(named));
    }
    let bytes = fs::read(classes.path().join("Copied.class")).unwrap();
    let class = ClassFile::parse(&bytes).unwrap();
    let constants: Vec<_> = class.shared_constants().collect();
    assert_eq!(constants, [&b"NUMBER"[..], b"TEXT"]);
}

#[test]
fn an_annotation_that_names_no_constant_is_declined() {
    let class = |index: u16| {
        let mut class = ClassBuilder::new("Annotated", 52);
        let content = words(&[1, index, 0]);
        class.annotated_field(ACC_STATIC, "count", "I", &content);
        class.finish()
    };
    let sound = class(1);
    assert_eq!(summarize(&sound).unwrap().fields[0].annotations, [b"count"]);
    // With the constants of a hook there would be one of that number.
    let constants = u16::from_be_bytes([sound[8], sound[9]]);
    assert_eq!(
        summarize(&class(constants)).unwrap_err(),
        Decline::BadConstant { index: constants, expected: "part of an annotation" },
    );
}

#[test]
fn a_class_tells_whether_it_has_subroutines() {
    let with: Vec<&str> = support::assembler::samples()
        .iter()
        .filter(|(_, bytes)| ClassFile::parse(bytes).unwrap().has_subroutines())
        .map(|(name, _)| *name)
        .collect();
    assert_eq!(with, ["Subroutine"]);
}
