//! Where code is watched to learn which of it runs, and what each place tells.
//!
//! A block runs from its start to its end unless something in it throws. Calls
//! are what throws most, so a line that begins after a call begins a block too:
//! then what comes after a call that throws does not count as run.

use std::collections::BTreeSet;

use crate::bytes::{Reader, u16_at};
use crate::code::Code;
use crate::decline::MethodDecline;
use crate::name::text;
use crate::opcode as op;
use crate::pool::Pool;
use crate::shape::{Shape, known_length};

/// What is known to have happened when a block is reached.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Block {
    /// Lines of the source that ran, ascending.
    pub lines: Vec<u16>,
    /// Classes that it uses without running code of theirs, or not for sure:
    /// owners of static fields and methods that it names, and class literals.
    /// With slashes, sorted.
    pub classes: Vec<String>,
}

/// The blocks of one method, in the order of its code.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    /// Where they begin.
    pub(crate) starts: Vec<usize>,
    pub(crate) list: Vec<Block>,
}

impl Blocks {
    pub(crate) fn clear(&mut self) {
        self.starts.clear();
        self.list.clear();
    }

    /// Divides code that `shape` has accepted.
    pub(crate) fn divide(
        &mut self,
        code: &Code<'_>,
        shape: &Shape,
        pool: &Pool<'_>,
    ) -> Result<(), MethodDecline> {
        self.clear();
        let lines = line_starts(code, pool)?;
        let mut open = Open::default();
        let (mut next_line, mut line) = (0, None);
        let (mut at, mut ends_before, mut has_called) = (0, true, false);
        while at < code.instructions.len() {
            let opcode = code.instructions[at];
            let mut is_new_line = false;
            while let Some(&(_, number)) = lines.get(next_line).filter(|(start, _)| *start <= at) {
                (line, is_new_line) = (Some(number), true);
                next_line += 1;
            }
            if ends_before || shape.is_target(at) || is_new_line && has_called {
                self.close(&mut open);
                self.starts.push(at);
                has_called = false;
            }
            open.lines.extend(line);
            open.classes.extend(named_class(code.instructions, at, pool));
            has_called |= matches!(opcode, op::INVOKEVIRTUAL..=op::INVOKEDYNAMIC);
            ends_before = op::is_branch(opcode) || op::ends_block(opcode);
            at += known_length(code.instructions, at);
        }
        self.close(&mut open);
        Ok(())
    }

    fn close(&mut self, open: &mut Open) {
        if self.starts.len() > self.list.len() {
            let Open { lines, classes } = std::mem::take(open);
            self.list.push(Block {
                lines: lines.into_iter().collect(),
                classes: classes.into_iter().collect(),
            });
        }
    }
}

/// A block whose end is not reached yet.
#[derive(Debug, Default)]
struct Open {
    lines: BTreeSet<u16>,
    classes: BTreeSet<String>,
}

/// Where lines begin, in the order of the code. Of several at one place the
/// last one counts: the others have no code.
fn line_starts(code: &Code<'_>, pool: &Pool<'_>) -> Result<Vec<(usize, u16)>, MethodDecline> {
    let mut starts = Vec::new();
    for attribute in code.attributes.iter(pool).filter(|one| one.name == b"LineNumberTable") {
        let mut reader = Reader::new(attribute.content);
        for _ in 0..reader.u2()? {
            starts.push((usize::from(reader.u2()?), reader.u2()?));
        }
    }
    starts.sort_by_key(|(start, _)| *start);
    Ok(starts)
}

/// A class that the instruction uses besides what it runs.
fn named_class(instructions: &[u8], at: usize, pool: &Pool<'_>) -> Option<String> {
    let name = match instructions[at] {
        op::GETSTATIC | op::PUTSTATIC => pool.field(u16_at(instructions, at + 1)).ok()?.owner,
        op::INVOKESTATIC => pool.method(u16_at(instructions, at + 1)).ok()?.owner,
        op::LDC => pool.class_name(instructions[at + 1].into()).ok()?,
        op::LDC_W => pool.class_name(u16_at(instructions, at + 1)).ok()?,
        _ => return None,
    };
    (!name.starts_with(b"[")).then(|| text(name).into_owned())
}
