//! Hand-made methods and what exactly becomes of them.
//!
//! The hook before `getstatic` is `iconst_0, invokestatic`: four bytes.
#![allow(clippy::unwrap_used)] // in a test, to panic is to fail

mod support;

use residue_classfile::{DeclinedMethod, MethodDecline, Rewritten};
use support::assembler::{ACC_STATIC, ClassBuilder, CodeParts, far, op, words};
use support::{NamedFields, rewrite};

const NOP: u8 = 0x00;
const POP: u8 = 0x57;
const GETSTATIC: u8 = 0xb2;
const RETURN: u8 = 0xb1;

/// A class with the field `C.f` as constant 6 and one method `m()V`.
fn class_with(code: &CodeParts) -> Vec<u8> {
    class_of_version(52, code)
}

fn class_of_version(version: u16, code: &CodeParts) -> Vec<u8> {
    let mut class = ClassBuilder::new("C", version);
    assert_eq!(class.field_constant("C", "f", "I"), FIELD);
    class.method(ACC_STATIC, "m", "()V", code);
    class.finish()
}

const FIELD: u16 = 6;

fn rewritten(class: &[u8]) -> Rewritten {
    rewrite(class, &mut NamedFields::default())
}

/// The content of the only `Code` attribute of a class without fields, taken
/// apart.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    max_stack: u16,
    instructions: Vec<u8>,
    handlers: Vec<u8>,
    attributes: Vec<Vec<u8>>,
}

fn u16_at(bytes: &[u8], at: usize) -> usize {
    usize::from(u16::from_be_bytes([bytes[at], bytes[at + 1]]))
}

fn found(class: &[u8]) -> Found {
    let mut at = 10;
    let mut index = 1;
    while index < u16_at(class, 8) {
        at += match class[at] {
            1 => 3 + u16_at(class, at + 1),
            3 | 9 | 10 | 12 => 5,
            7 => 3,
            other => panic!("constant {other}"),
        };
        index += 1;
    }
    // Access, this, super, no interfaces, no fields, one method with Code.
    let code = &class[at + 12 + 8 + 6..];
    let length = u16_at(code, 6);
    let instructions = code[8..8 + length].to_vec();
    let mut rest = &code[8 + length..];
    let handlers = rest[2..2 + 8 * u16_at(rest, 0)].to_vec();
    rest = &rest[2 + handlers.len()..];
    let mut attributes = Vec::new();
    let count = u16_at(rest, 0);
    rest = &rest[2..];
    for _ in 0..count {
        let length = u16_at(rest, 4);
        attributes.push(rest[6..6 + length].to_vec());
        rest = &rest[6 + length..];
    }
    assert_eq!(rest, [0, 0], "only the empty attributes of the class are left");
    Found { max_stack: u16_at(code, 0) as u16, instructions, handlers, attributes }
}

fn fixed(code: &CodeParts) -> Found {
    let rewritten = rewritten(&class_with(code));
    assert_eq!(rewritten.declined_methods, []);
    found(&rewritten.bytes.expect("there is a hook"))
}

/// `iconst_0, invokestatic, getstatic, pop`, with the index of the hook cut out.
fn hooked_read(instructions: &[u8], at: usize) -> bool {
    let one = &instructions[at..at + 8];
    one[..2] == [0x03, 0xb8] && one[4..] == [GETSTATIC, 0, FIELD as u8, POP]
}

fn read() -> Vec<u8> {
    [&op(GETSTATIC, FIELD)[..], &[POP]].concat()
}

fn after_reads(count: usize, rest: &[u8]) -> Vec<u8> {
    let mut instructions = Vec::new();
    for _ in 0..count {
        instructions.extend(read());
    }
    instructions.extend(rest);
    instructions
}

#[test]
fn a_jump_to_a_hooked_instruction_leads_to_the_hook() {
    // 0: nop, 1: getstatic, pop, 5: goto 1
    let instructions = [&[NOP][..], &read(), &op(0xa7, (-4_i16).cast_unsigned())].concat();
    let frames = [&words(&[1])[..], &[1]].concat();
    let attributes = vec![("StackMapTable", frames)];
    let code = CodeParts { max_stack: 1, instructions, attributes, ..CodeParts::default() };
    let fixed = fixed(&code);
    assert!(hooked_read(&fixed.instructions, 1));
    assert_eq!(fixed.instructions[9..], op(0xa7, (-8_i16).cast_unsigned()));
    assert_eq!(fixed.attributes, [[0, 1, 1]], "the frame stays at 1, where the hook begins");
    assert_eq!(fixed.max_stack, 1, "the read needs a slot anyway");
}

#[test]
fn switches_are_padded_for_their_new_place() {
    // 0: getstatic (5 with the hook: 0..7), 3: tableswitch without padding, default and one case
    let mut instructions = op(GETSTATIC, FIELD).to_vec();
    instructions.push(0xaa);
    for number in [21, 0, 0, 17_u32] {
        instructions.extend(number.to_be_bytes());
    }
    assert_eq!(instructions.len(), 20);
    // 20: pad to reach both targets: case 20 and default 24
    instructions.extend([&read()[..], &[RETURN]].concat());
    let frames = [&words(&[2])[..], &[20, 3]].concat();
    let attributes = vec![("StackMapTable", frames)];
    let code = CodeParts { max_stack: 1, instructions, attributes, ..CodeParts::default() };
    let fixed = fixed(&code);
    // 0: hook, 4: getstatic, 7: tableswitch, 8..24 operands, 24: hook, 28: getstatic, pop, 32
    assert_eq!(fixed.instructions[7], 0xaa);
    let operands: Vec<u32> = fixed.instructions[8..24]
        .chunks(4)
        .map(|four| u32::from_be_bytes(four.try_into().unwrap()))
        .collect();
    assert_eq!(operands, [25, 0, 0, 17]);
    assert!(hooked_read(&fixed.instructions, 24));
    assert_eq!(fixed.instructions[32], RETURN);
    assert_eq!(fixed.attributes, [[0, 2, 24, 7]]);
}

#[test]
fn padding_shrinks_and_grows() {
    for nops in 0..4_usize {
        // nops, getstatic, lookupswitch with only a default that leads to the return
        let mut instructions = vec![NOP; nops];
        instructions.extend(op(GETSTATIC, FIELD));
        let at = instructions.len();
        instructions.push(0xab);
        while instructions.len() % 4 != 0 {
            instructions.push(0);
        }
        let end = instructions.len() + 8;
        instructions.extend(u32::try_from(end - at).unwrap().to_be_bytes());
        instructions.extend([0; 4]);
        instructions.push(RETURN);
        let frames = [&words(&[1])[..], &[end as u8]].concat();
        let attributes = vec![("StackMapTable", frames)];
        let code = CodeParts { max_stack: 1, instructions, attributes, ..CodeParts::default() };
        let fixed = fixed(&code);
        let new_at = at + 4;
        let body = (new_at + 4) & !3;
        assert_eq!(fixed.instructions[new_at], 0xab);
        assert_eq!(fixed.instructions[new_at + 1..body].iter().sum::<u8>(), 0);
        let offset = u32::try_from(body + 8 - new_at).unwrap();
        assert_eq!(fixed.instructions[body..body + 4], offset.to_be_bytes());
        assert_eq!(fixed.instructions[body + 8..], [RETURN]);
    }
}

#[test]
fn handlers_cover_the_hooks_of_what_they_covered() {
    // 0: nop, 1: read, 5: return, 6: pop, 7: return
    let instructions = [&[NOP][..], &read(), &[RETURN, POP, RETURN]].concat();
    let attributes = vec![("StackMapTable", [&words(&[1])[..], &[64 + 6, 7, 0, 5]].concat())];
    let handlers = vec![[1, 5, 6, 0]];
    let code =
        CodeParts { max_stack: 1, instructions, handlers, attributes, ..CodeParts::default() };
    assert_eq!(fixed(&code).handlers, words(&[1, 9, 10, 0]));
}

#[test]
fn lines_and_variables_move_with_their_code() {
    let instructions = [&[NOP][..], &read(), &[NOP], &read(), &[RETURN]].concat();
    let lines = words(&[3, 0, 10, 1, 11, 10, 12]);
    let variables = words(&[2, 0, 11, 1, 1, 0, 5, 1, 1, 1, 1]);
    let code = CodeParts {
        max_stack: 1,
        max_locals: 2,
        instructions,
        attributes: vec![
            ("LineNumberTable", lines),
            ("LocalVariableTable", variables.clone()),
            ("LocalVariableTypeTable", variables),
        ],
        ..CodeParts::default()
    };
    let fixed = fixed(&code);
    // The second read is in the same block and needs no hook.
    let variables = words(&[2, 0, 15, 1, 1, 0, 9, 1, 1, 1, 1]);
    let lines = words(&[3, 0, 10, 1, 11, 14, 12]);
    assert_eq!(fixed.attributes, [lines, variables.clone(), variables]);
}

#[test]
fn all_kinds_of_frames_move() {
    // Each block of 71 bytes ends with a read, so that short deltas become long.
    let block = [&vec![NOP; 66][..], &read(), &[NOP]].concat();
    let mut instructions = Vec::new();
    for _ in 0..6 {
        instructions.extend(&block);
    }
    let new_at = u16::try_from(instructions.len()).unwrap();
    instructions.extend(op(0xbb, 2));
    instructions.extend([POP, RETURN]);
    let mut frames = words(&[7]);
    frames.extend([63]); // 63: same
    frames.extend([64 + 6, 1]); // 70: one int on the stack
    frames.extend([247, 0, 70, 2]); // 141: one float on the stack, long delta
    frames.extend([252, 0, 70, 8]); // 212: one local more, uninitialised
    frames.extend(new_at.to_be_bytes());
    frames.extend([250, 0, 70]); // 283: one local less
    frames.extend([251, 0, 70]); // 354: same, long delta
    frames.extend([255, 0, 70, 0, 2, 4, 7, 0, 2, 0, 1, 8]); // 425: everything
    frames.extend(new_at.to_be_bytes());
    let code = CodeParts {
        max_stack: 1,
        max_locals: 3,
        instructions,
        attributes: vec![("StackMapTable", frames)],
        ..CodeParts::default()
    };
    let fixed = fixed(&code);
    let new_at = new_at + 6 * 4;
    assert_eq!(fixed.instructions[usize::from(new_at)], 0xbb);
    let mut frames = words(&[7]);
    frames.extend([63]); // 63
    frames.extend([64 + 10, 1]); // 74
    frames.extend([247, 0, 74, 2]); // 149
    frames.extend([252, 0, 74, 8]); // 224
    frames.extend(new_at.to_be_bytes());
    frames.extend([250, 0, 74]); // 299
    frames.extend([251, 0, 74]); // 374
    frames.extend([255, 0, 74, 0, 2, 4, 7, 0, 2, 0, 1, 8]); // 449
    frames.extend(new_at.to_be_bytes());
    assert_eq!(fixed.attributes, [frames]);
}

#[test]
fn a_short_delta_becomes_long() {
    // 0: read, then a frame at 62: the hook moves it to 66, beyond the short form.
    let instructions = after_reads(1, &[&vec![NOP; 58][..], &[RETURN]].concat());
    let attributes = vec![("StackMapTable", [&words(&[1])[..], &[62]].concat())];
    let code = CodeParts { max_stack: 1, instructions, attributes, ..CodeParts::default() };
    assert_eq!(fixed(&code).attributes, [[0, 1, 251, 0, 66]]);
}

#[test]
fn the_old_form_of_frames_moves() {
    // 0: read, 4: new, 7: pop, 8: return
    let instructions = after_reads(1, &[&op(0xbb, 2)[..], &[POP, RETURN]].concat());
    // At 7: no locals, an uninitialised object on the stack.
    let frames = [&words(&[1, 7, 0, 1])[..], &[8, 0, 4]].concat();
    let attributes = vec![("StackMap", frames)];
    let code = CodeParts { max_stack: 1, instructions, attributes, ..CodeParts::default() };
    let class = rewritten(&class_of_version(48, &code)).bytes.unwrap();
    assert_eq!(found(&class).attributes, [[&words(&[1, 11, 0, 1])[..], &[8, 0, 8]].concat()]);
}

#[test]
fn type_annotations_of_code_move() {
    // 0: read, 4: new, 7: pop, 8: return
    let instructions = after_reads(1, &[&op(0xbb, 2)[..], &[POP, RETURN]].concat());
    let annotation = |target: &[u8]| [target, &[0, 0, 1, 0, 0]].concat();
    let annotations = |places: [u8; 5]| {
        let [start, length, instruction, cast, read] = places;
        let mut all = words(&[5]);
        all.extend(annotation(&[0x40, 0, 1, 0, start, 0, length, 0, 1]));
        all.extend(annotation(&[0x42, 0, 9]));
        all.extend(annotation(&[0x44, 0, instruction]));
        all.extend(annotation(&[0x47, 0, cast, 3]));
        // An instruction is known by itself, not by the hook before it.
        all.extend(annotation(&[0x43, 0, read]));
        all
    };
    let before = annotations([4, 4, 4, 7, 0]);
    let code = CodeParts {
        max_stack: 1,
        max_locals: 2,
        instructions,
        attributes: vec![
            ("RuntimeVisibleTypeAnnotations", before.clone()),
            ("RuntimeInvisibleTypeAnnotations", before),
        ],
        ..CodeParts::default()
    };
    let after = annotations([8, 4, 8, 11, 4]);
    assert_eq!(fixed(&code).attributes, [after.clone(), after]);
}

#[test]
fn unknown_attributes_of_code_are_left_out() {
    let attributes = vec![("LineNumberTable", words(&[1, 0, 7])), ("Mystery", vec![1, 2, 3])];
    let instructions = after_reads(1, &[RETURN]);
    let code = CodeParts { max_stack: 1, instructions, attributes, ..CodeParts::default() };
    assert_eq!(fixed(&code).attributes, [words(&[1, 0, 7])]);
}

#[test]
fn the_stack_is_as_deep_as_needed() {
    // aconst_null, iconst_0, lconst_0, lastore: four slots and two for the hook.
    let instructions = vec![0x01, 0x03, 0x09, 0x50, RETURN];
    let code = CodeParts { max_stack: 4, instructions, ..CodeParts::default() };
    let fixed = fixed(&code);
    assert_eq!(fixed.max_stack, 6);
    assert_eq!(fixed.instructions[..6], [0x01, 0x03, 0x09, 0x5e, 0x58, 0x5e]);
    assert_eq!(fixed.instructions[9..], [0x50, RETURN]);
}

fn only_decline(class: &[u8]) -> MethodDecline {
    let rewritten = rewritten(class);
    let [DeclinedMethod { reason, .. }] = rewritten.declined_methods.as_slice() else {
        panic!("declined {:?}", rewritten.declined_methods);
    };
    assert_eq!(rewritten.bytes, None);
    *reason
}

#[test]
fn a_far_branch_without_a_frame_after_it_is_declined() {
    let class = far("Far", 52, 4_000, false);
    assert_eq!(only_decline(&class), MethodDecline::BranchTooFar { offset: 3 });
}

#[test]
fn code_that_would_be_too_long_is_declined() {
    // Straight on: 9,000 reads of 7 bytes, 4 more each.
    let mut class = ClassBuilder::new("C", 52);
    let field = class.field_constant("C", "f", "I");
    let call = class.method_constant("D", "d", "()V");
    let one = [&op(GETSTATIC, field)[..], &[POP], &op(0xb8, call)].concat();
    let mut instructions = one.repeat(9_000);
    instructions.push(RETURN);
    let code = CodeParts { max_stack: 1, instructions, ..CodeParts::default() };
    class.method(ACC_STATIC, "m", "()V", &code);
    let reason = only_decline(&class.finish());
    assert_eq!(reason, MethodDecline::TooLarge { bytes: 9_000 * 11 + 1 });
}

#[test]
fn a_method_that_is_no_longer_compiled_is_counted() {
    let class = far("Far", 52, 1_000, true);
    let rewritten = rewritten(&class);
    assert_eq!(rewritten.grown_past_compile_limit, 1);
    assert_eq!(rewritten.sites, 1_000);
}

#[test]
fn a_full_constant_pool_is_declined() {
    let mut class = ClassBuilder::new("C", 52);
    let field = class.field_constant("C", "f", "I");
    while class.constants() < 65_525 {
        class.number(0);
    }
    let instructions = [&op(GETSTATIC, field)[..], &[POP, RETURN]].concat();
    let code = CodeParts { max_stack: 1, instructions, ..CodeParts::default() };
    class.method(ACC_STATIC, "m", "()V", &code);
    assert_eq!(only_decline(&class.finish()), MethodDecline::ConstantPoolFull);
}

#[test]
fn broken_code_is_declined_with_its_reason() {
    let decline = |instructions: Vec<u8>, attributes: Vec<(&'static str, Vec<u8>)>| {
        let code = CodeParts { max_stack: 1, instructions, attributes, ..CodeParts::default() };
        only_decline(&class_with(&code))
    };
    let read_and_return = || after_reads(1, &[RETURN]);
    let into_instruction = [&op(0xa7, 4)[..], &read_and_return()].concat();
    let cases = [
        (decline(vec![0xca, RETURN], vec![]), MethodDecline::BadInstruction { offset: 0 }),
        (decline(vec![GETSTATIC, 0], vec![]), MethodDecline::BadInstruction { offset: 0 }),
        (decline(op(0xa7, 99).to_vec(), vec![]), MethodDecline::BadOffset { offset: 99 }),
        (decline(into_instruction, vec![]), MethodDecline::BadOffset { offset: 4 }),
        (
            decline(op(GETSTATIC, 1).to_vec(), vec![]),
            MethodDecline::BadConstant { index: 1, expected: "field" },
        ),
        (
            decline(read_and_return(), vec![("StackMapTable", vec![0, 1, 200])]),
            MethodDecline::UnknownFrame { tag: 200 },
        ),
        (
            decline(read_and_return(), vec![("StackMapTable", vec![0, 1, 1])]),
            MethodDecline::BadOffset { offset: 1 },
        ),
        (
            decline(read_and_return(), vec![("LineNumberTable", vec![0, 1, 0])]),
            MethodDecline::Truncated,
        ),
        (
            decline(read_and_return(), vec![("LineNumberTable", vec![0, 0, 0])]),
            MethodDecline::TrailingBytes,
        ),
        (
            decline(
                read_and_return(),
                vec![("RuntimeVisibleTypeAnnotations", vec![0, 1, 0x13, 0, 0, 1, 0, 0])],
            ),
            MethodDecline::UnknownAnnotationTarget { target: 0x13 },
        ),
    ];
    for (reason, expected) in cases {
        assert_eq!(reason, expected);
    }
}
