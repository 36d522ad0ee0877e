//! Where in a constructor `this` is surely initialised, for code without stack
//! map frames. Constructors of classes before version 50 have none, and code
//! that hands an uninitialised object to a hook would not verify.

use crate::bytes::u16_at;
use crate::code::Code;
use crate::decline::MethodDecline;
use crate::extension::Extension;
use crate::opcode as op;
use crate::references::{References, Role};
use crate::shape::{for_each_target, known_length};

/// Handlers times instructions; only made-up code has more.
const MAX_WORK: usize = 20_000_000;

/// How far construction has come before an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Progress {
    Unreached,
    /// The other constructor is not called on every way here. Meanwhile this
    /// many objects were allocated whose constructor is yet to be called.
    Before {
        allocated: usize,
    },
    After,
}

/// For each byte of the code, whether an instruction that begins there runs
/// only after another constructor was called on `this`.
pub(crate) fn initialized_at(
    code: &Code<'_>,
    references: &mut References<'_, '_>,
    extension: &mut Extension<'_>,
) -> Result<Vec<bool>, MethodDecline> {
    let length = code.instructions.len();
    if code.handlers().len().saturating_mul(length) > MAX_WORK {
        return Err(MethodDecline::UnclearConstructor { offset: 0 });
    }
    let mut flow = Flow { progress: vec![Progress::Unreached; length], pending: Vec::new() };
    flow.arrive(0, Progress::Before { allocated: 0 })?;
    while let Some(at) = flow.pending.pop() {
        let before = flow.progress[at];
        for handler in code.handlers() {
            if (usize::from(handler.start)..usize::from(handler.end)).contains(&at) {
                // The stack with what was allocated is gone.
                let caught = match before {
                    Progress::Before { .. } => Progress::Before { allocated: 0 },
                    other => other,
                };
                flow.arrive(usize::from(handler.target), caught)?;
            }
        }
        let after = advance(code.instructions, at, before, references, extension)?;
        let opcode = code.instructions[at];
        if op::is_branch(opcode) {
            for_each_target(code.instructions, at, |target| flow.arrive(target, after))?;
        }
        let next = at + known_length(code.instructions, at);
        if !op::ends_block(opcode) && next < length {
            flow.arrive(next, after)?;
        }
    }
    Ok(flow.progress.iter().map(|&progress| progress == Progress::After).collect())
}

struct Flow {
    progress: Vec<Progress>,
    pending: Vec<usize>,
}

impl Flow {
    /// Each place changes at most twice, so this ends.
    fn arrive(&mut self, at: usize, with: Progress) -> Result<(), MethodDecline> {
        let known = self.progress[at];
        let merged = match (known, with) {
            (Progress::Unreached, other) => other,
            (Progress::Before { allocated: one }, Progress::Before { allocated: other })
                if one != other =>
            {
                return Err(MethodDecline::UnclearConstructor { offset: at });
            }
            (Progress::Before { .. }, _) => known,
            (_, Progress::Before { .. }) => with,
            _ => known,
        };
        if merged != known {
            self.progress[at] = merged;
            self.pending.push(at);
        }
        Ok(())
    }
}

fn advance(
    instructions: &[u8],
    at: usize,
    before: Progress,
    references: &mut References<'_, '_>,
    extension: &mut Extension<'_>,
) -> Result<Progress, MethodDecline> {
    let Progress::Before { allocated } = before else { return Ok(before) };
    match instructions[at] {
        op::NEW => Ok(Progress::Before { allocated: allocated + 1 }),
        op::INVOKESPECIAL => {
            let role = references.method(u16_at(instructions, at + 1), extension)?.role;
            match (role, allocated) {
                (Role::OwnConstructor, 0) => Ok(Progress::After),
                (Role::OtherConstructor, 0) => {
                    Err(MethodDecline::UnclearConstructor { offset: at })
                }
                (Role::OwnConstructor | Role::OtherConstructor, _) => {
                    Ok(Progress::Before { allocated: allocated - 1 })
                }
                _ => Ok(before),
            }
        }
        _ => Ok(before),
    }
}
