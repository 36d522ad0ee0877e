//! Where each instruction goes.

use crate::bytes::i16_at;
use crate::code::MAX_CODE_LENGTH;
use crate::decline::MethodDecline;
use crate::edits::{BranchForm, EditKind, Edits};
use crate::opcode as op;
use crate::shape::{Shape, switch_body};

/// Each round can push a few more branches beyond their reach. Code that does
/// not settle by then is not worth the time.
const MAX_ROUNDS: usize = 16;

/// In code that is not longer, every branch reaches every place.
const MAX_SHORT_OFFSET: usize = 32_767;

/// The new place of everything in a method.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    /// For each byte of the original code and its end; only instruction starts
    /// mean something. Where code is inserted, this is where it begins, so that
    /// who jumps to the instruction also runs it.
    places: Vec<u32>,
}

impl Layout {
    /// Places all instructions, and widens branches that no longer reach their
    /// target. `can_follow_branch` tells whether the instruction at an offset
    /// may become a branch target without a new stack map frame.
    pub(crate) fn lay_out(
        &mut self,
        instructions: &[u8],
        edits: &mut Edits,
        can_follow_branch: impl Fn(usize) -> bool,
    ) -> Result<(), MethodDecline> {
        let mut last_grown = 0;
        for _ in 0..MAX_ROUNDS {
            self.place(instructions.len(), edits);
            let length = self.code_length();
            if length > MAX_CODE_LENGTH {
                return Err(MethodDecline::TooLarge { bytes: length });
            }
            if length <= MAX_SHORT_OFFSET {
                return Ok(());
            }
            match self.widen(instructions, edits, &can_follow_branch)? {
                Some(grown) => last_grown = grown,
                None => return Ok(()),
            }
        }
        Err(MethodDecline::BranchTooFar { offset: last_grown })
    }

    fn place(&mut self, length: usize, edits: &mut Edits) {
        self.places.clear();
        let mut shift = edits.entry_length;
        for edit in &mut edits.list {
            self.fill_through(edit.at, shift);
            edit.place = edit.at + shift;
            match edit.kind {
                EditKind::Insert { from, to } => shift += to - from,
                EditKind::ShortBranch { form } => shift += form.growth(),
                EditKind::Switch => {
                    // Padding never makes up for more than was inserted.
                    shift = switch_body(edit.at + shift) - switch_body(edit.at);
                }
                EditKind::CallInstead { .. } | EditKind::LongBranch => {}
            }
        }
        self.fill_through(length, shift);
    }

    fn fill_through(&mut self, last: usize, shift: usize) {
        let from = self.places.len();
        // Original code has at most 65,535 bytes and so has each insertion.
        self.places.extend((from..=last).map(|at| (at + shift) as u32));
    }

    /// The last branch that had to grow, if any.
    fn widen(
        &self,
        instructions: &[u8],
        edits: &mut Edits,
        can_follow_branch: &impl Fn(usize) -> bool,
    ) -> Result<Option<usize>, MethodDecline> {
        let mut last_grown = None;
        for edit in &mut edits.list {
            let EditKind::ShortBranch { form: form @ BranchForm::AsIs } = &mut edit.kind else {
                continue;
            };
            let at = edit.at;
            let target = at.wrapping_add_signed(isize::from(i16_at(instructions, at + 1)));
            if i16::try_from(self.distance(edit.place, target)).is_ok() {
                continue;
            }
            *form = match instructions[at] {
                op::GOTO | op::JSR => BranchForm::Wide,
                _ if can_follow_branch(at + 3) => BranchForm::AroundWide,
                _ => return Err(MethodDecline::BranchTooFar { offset: at }),
            };
            last_grown = Some(at);
        }
        Ok(last_grown)
    }

    /// The new offset of a branch that stands at a new place, to an original one.
    pub(crate) fn distance(&self, from: usize, to: usize) -> i32 {
        self.places[to].cast_signed() - from as i32
    }

    /// Where the instruction at `at`, or what is inserted before it, begins.
    pub(crate) fn place_of(&self, at: usize) -> usize {
        self.places[at] as usize
    }

    fn original_length(&self) -> usize {
        self.places.len().saturating_sub(1)
    }

    pub(crate) fn code_length(&self) -> usize {
        self.places.last().map_or(0, |&end| end as usize)
    }
}

/// Translates places in tables beside the code. Each is checked to be one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Relocation<'a> {
    pub(crate) shape: &'a Shape,
    pub(crate) layout: &'a Layout,
    pub(crate) edits: &'a Edits,
}

impl Relocation<'_> {
    /// A place at which control or a range begins.
    pub(crate) fn target(&self, at: usize) -> Result<u16, MethodDecline> {
        self.checked(self.shape.is_start(at), at, |at| self.layout.place_of(at))
    }

    /// The end of a range.
    pub(crate) fn end(&self, at: usize) -> Result<u16, MethodDecline> {
        let is_place = self.shape.is_start(at) || self.shape.is_end(at);
        self.checked(is_place, at, |at| self.layout.place_of(at))
    }

    /// The start or end of a line or of a local variable. Those that start with
    /// the method include what runs once at its start. The JVM takes places
    /// inside of instructions here, so they are no reason to decline.
    pub(crate) fn scope(&self, at: usize) -> Result<u16, MethodDecline> {
        if at == 0 {
            return Ok(0);
        }
        let is_inside = at <= self.layout.original_length();
        self.checked(is_inside, at, |at| self.layout.place_of(at))
    }

    /// The instruction itself, after what is inserted before it.
    pub(crate) fn instruction(&self, at: usize) -> Result<u16, MethodDecline> {
        self.checked(self.shape.is_start(at), at, |at| {
            self.layout.place_of(at) + self.edits.inserted_before(at)
        })
    }

    fn checked(
        &self,
        is_place: bool,
        at: usize,
        translate: impl Fn(usize) -> usize,
    ) -> Result<u16, MethodDecline> {
        let bad = MethodDecline::BadOffset { offset: at };
        if !is_place {
            return Err(bad);
        }
        u16::try_from(translate(at)).map_err(|_| bad)
    }
}
