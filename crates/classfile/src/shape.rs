//! A first look at the code: where instructions begin, where control arrives
//! from elsewhere, and whether there is anything to hook at all.

use crate::bytes::{i16_at, i32_at, u16_at};
use crate::code::Code;
use crate::decline::MethodDecline;
use crate::opcode as op;

const START: u8 = 1;
const TARGET: u8 = 2;
const HANDLER: u8 = 4;

/// Locals beyond these count as stored to.
const TRACKED_LOCALS: usize = 64;

/// Facts about the code of one method. It is filled anew for each.
#[derive(Debug, Default)]
pub(crate) struct Shape {
    /// One entry per byte of code and one for its end.
    marks: Vec<u8>,
    stored_locals: u64,
    /// Whether some instruction may deserve a hook.
    pub(crate) has_accesses: bool,
    /// Whether anything jumps or is caught.
    pub(crate) has_targets: bool,
}

impl Shape {
    /// Checks that the code is a sequence of instructions and that all branches
    /// and handlers lead to one.
    pub(crate) fn examine(&mut self, code: &Code<'_>) -> Result<(), MethodDecline> {
        let instructions = code.instructions;
        self.marks.clear();
        self.marks.resize(instructions.len() + 1, 0);
        (self.stored_locals, self.has_accesses, self.has_targets) = (0, false, false);
        let mut at = 0;
        while at < instructions.len() {
            let length = instruction_length(instructions, at)?;
            self.marks[at] |= START;
            self.note(instructions, at)?;
            at += length;
        }
        for handler in code.handlers() {
            self.mark(usize::from(handler.target), TARGET | HANDLER)?;
        }
        if self.has_targets { self.check_targets() } else { Ok(()) }
    }

    fn note(&mut self, instructions: &[u8], at: usize) -> Result<(), MethodDecline> {
        let opcode = instructions[at];
        match opcode {
            op::IALOAD..=op::SALOAD
            | op::IASTORE..=op::SASTORE
            | op::GETSTATIC..=op::INVOKESTATIC => self.has_accesses = true,
            op::ISTORE..=op::ASTORE => {
                self.note_store(usize::from(instructions[at + 1]), opcode - op::ISTORE);
            }
            op::ISTORE_0..=op::ASTORE_3 => {
                let number = opcode - op::ISTORE_0;
                self.note_store(usize::from(number % 4), number / 4);
            }
            op::IINC => self.note_store(usize::from(instructions[at + 1]), 0),
            op::WIDE => {
                let local = usize::from(u16_at(instructions, at + 2));
                match instructions[at + 1] {
                    op::IINC => self.note_store(local, 0),
                    store @ op::ISTORE..=op::ASTORE => self.note_store(local, store - op::ISTORE),
                    _ => {}
                }
            }
            op::JSR | op::JSR_W => {
                // The subroutine returns to what follows, with unknown effects.
                let next = at + usize::from(op::LENGTHS[usize::from(opcode)]);
                if next < instructions.len() {
                    self.mark(next, TARGET)?;
                }
                for_each_target(instructions, at, |target| self.mark(target, TARGET))?;
            }
            op::IFEQ..=op::GOTO
            | op::TABLESWITCH
            | op::LOOKUPSWITCH
            | op::IFNULL
            | op::IFNONNULL
            | op::GOTO_W => for_each_target(instructions, at, |target| self.mark(target, TARGET))?,
            _ => {}
        }
        Ok(())
    }

    fn note_store(&mut self, local: usize, type_number: u8) {
        for one in local..local + op::typed_slots(type_number) {
            if one < TRACKED_LOCALS {
                self.stored_locals |= 1 << one;
            }
        }
    }

    fn mark(&mut self, at: usize, bits: u8) -> Result<(), MethodDecline> {
        let mark = self.marks.get_mut(at).ok_or(MethodDecline::BadOffset { offset: at })?;
        *mark |= bits;
        self.has_targets = true;
        Ok(())
    }

    fn check_targets(&self) -> Result<(), MethodDecline> {
        let wrong = self.marks.iter().position(|&mark| mark & (START | TARGET) == TARGET);
        wrong.map_or(Ok(()), |offset| Err(MethodDecline::BadOffset { offset }))
    }

    pub(crate) fn is_start(&self, at: usize) -> bool {
        self.marks.get(at).is_some_and(|mark| mark & START != 0)
    }

    pub(crate) fn is_end(&self, at: usize) -> bool {
        at + 1 == self.marks.len()
    }

    pub(crate) fn is_target(&self, at: usize) -> bool {
        self.marks[at] & TARGET != 0
    }

    /// Whether something holds wherever control arrives from elsewhere.
    pub(crate) fn all_targets(&self, holds: impl Fn(usize) -> bool) -> bool {
        let mut targets = self.marks.iter().enumerate().filter(|(_, mark)| **mark & TARGET != 0);
        targets.all(|(at, _)| holds(at))
    }

    pub(crate) fn is_handler(&self, at: usize) -> bool {
        self.marks[at] & HANDLER != 0
    }

    /// Whether the local holds what it held when the method began, everywhere.
    pub(crate) fn is_never_stored(&self, local: usize) -> bool {
        local < TRACKED_LOCALS && self.stored_locals & (1 << local) == 0
    }
}

/// The length of the instruction at `at`, all of which is inside the code.
pub(crate) fn instruction_length(instructions: &[u8], at: usize) -> Result<usize, MethodDecline> {
    let bad = MethodDecline::BadInstruction { offset: at };
    let length = match op::LENGTHS[usize::from(instructions[at])] {
        0 => return Err(bad),
        op::VARIABLE => variable_length(instructions, at).ok_or(bad)?,
        length => usize::from(length),
    };
    if length > instructions.len() - at { Err(bad) } else { Ok(length) }
}

/// The length of an instruction that [`Shape::examine`] has accepted.
pub(crate) fn known_length(instructions: &[u8], at: usize) -> usize {
    match op::LENGTHS[usize::from(instructions[at])] {
        op::VARIABLE => variable_length(instructions, at).unwrap_or(1),
        length => usize::from(length),
    }
}

fn variable_length(instructions: &[u8], at: usize) -> Option<usize> {
    if instructions[at] == op::WIDE {
        return match *instructions.get(at + 1)? {
            op::IINC => Some(6),
            op::ILOAD..=op::ALOAD | op::ISTORE..=op::ASTORE | op::RET => Some(4),
            _ => None,
        };
    }
    let body = switch_body(at);
    let header = if instructions[at] == op::TABLESWITCH { 12 } else { 8 };
    instructions.get(body..body + header)?;
    let entries = if instructions[at] == op::TABLESWITCH {
        let (low, high) = (i32_at(instructions, body + 4), i32_at(instructions, body + 8));
        let entries = i64::from(high) - i64::from(low) + 1;
        if entries < 0 {
            return None;
        }
        usize::try_from(entries).ok()?.checked_mul(4)?
    } else {
        usize::try_from(i32_at(instructions, body + 4)).ok()?.checked_mul(8)?
    };
    (body - at + header).checked_add(entries)
}

/// Where the default of a switch at `at` stands, after the padding.
pub(crate) fn switch_body(at: usize) -> usize {
    (at + 4) & !3
}

/// Where the offsets of a switch's cases stand.
pub(crate) fn switch_cases(instructions: &[u8], at: usize) -> impl Iterator<Item = usize> {
    let first = switch_body(at) + 12;
    let end = at + known_length(instructions, at);
    (first..end).step_by(if instructions[at] == op::TABLESWITCH { 4 } else { 8 })
}

/// Calls `visit` with each place to which the branch or switch at `at` leads.
pub(crate) fn for_each_target(
    instructions: &[u8],
    at: usize,
    mut visit: impl FnMut(usize) -> Result<(), MethodDecline>,
) -> Result<(), MethodDecline> {
    let mut go = |offset: i32| {
        let target = i64::try_from(at).unwrap_or(i64::MAX).saturating_add(i64::from(offset));
        visit(usize::try_from(target).map_err(|_| MethodDecline::BadOffset { offset: at })?)
    };
    match instructions[at] {
        op::GOTO_W | op::JSR_W => go(i32_at(instructions, at + 1)),
        op::TABLESWITCH | op::LOOKUPSWITCH => {
            go(i32_at(instructions, switch_body(at)))?;
            switch_cases(instructions, at).try_for_each(|case| go(i32_at(instructions, case)))
        }
        _ => go(i32::from(i16_at(instructions, at + 1))),
    }
}
