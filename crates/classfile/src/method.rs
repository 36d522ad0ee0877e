//! Walks the code of one method, keeps track of values, and notes every branch
//! and every hook as an edit. What is hooked is decided in `access`.

use crate::blocks::Blocks;
use crate::code::Code;
use crate::constructor;
use crate::decline::MethodDecline;
use crate::edits::{BranchForm, EditKind, Edits};
use crate::extension::Extension;
use crate::facts::Facts;
use crate::frame_states::FrameState;
use crate::hook::Hook;
use crate::hook_code;
use crate::machine::{Depth, Machine};
use crate::opcode as op;
use crate::plan::{EntryCall, FieldIds};
use crate::references::References;
use crate::shape::{Shape, known_length};
use crate::values::Value;

/// What kind of method it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MethodKind {
    Ordinary,
    Constructor,
    ClassInitializer,
}

/// How much was done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) sites: u32,
    pub(crate) redundant: u32,
}

/// What is known of the class and kept from method to method.
pub(crate) struct ClassState<'c, 'a> {
    pub(crate) references: References<'c, 'a>,
    pub(crate) extension: Extension<'c>,
    pub(crate) ids: &'c mut dyn FieldIds,
    /// The number of the class, if it is watched which code runs.
    pub(crate) number: Option<u32>,
    /// The number of the next block.
    pub(crate) next_block: u32,
}

/// Memory that serves one method after the other.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) edits: Edits,
    pub(crate) machine: Machine,
    /// Empty if the method is not watched.
    pub(crate) blocks: Blocks,
    facts: Facts,
}

/// The walk through one method.
pub(crate) struct Walk<'w, 'c, 'a> {
    pub(crate) kind: MethodKind,
    pub(crate) instructions: &'w [u8],
    pub(crate) shape: &'w Shape,
    pub(crate) class: &'w mut ClassState<'c, 'a>,
    pub(crate) edits: &'w mut Edits,
    pub(crate) machine: &'w mut Machine,
    pub(crate) facts: &'w mut Facts,
    pub(crate) tally: Tally,
    /// In a constructor whose frames do not tell it: where `this` is surely
    /// initialised.
    pub(crate) initialized_at: Option<Vec<bool>>,
    frames: &'w [FrameState],
    /// Where blocks begin from here on.
    block_starts: &'w [usize],
}

impl<'w, 'c, 'a> Walk<'w, 'c, 'a> {
    /// Fills the edits of `scratch` and tells how many hooks there are.
    pub(crate) fn run(
        kind: MethodKind,
        code: &Code<'a>,
        shape: &'w Shape,
        frames: &'w [FrameState],
        entry: Option<&EntryCall>,
        class: &'w mut ClassState<'c, 'a>,
        scratch: &'w mut Scratch,
    ) -> Result<Tally, MethodDecline>
    where
        'a: 'w,
    {
        let Scratch { edits, machine, blocks, facts } = scratch;
        edits.clear();
        facts.forget_all();
        machine.start(code.max_stack, code.max_locals);
        let mut initialized_at = None;
        if kind == MethodKind::Constructor {
            machine.set_local(0, Value::THIS);
            if !shape.all_targets(|at| frame_at(frames, at)) {
                let ClassState { references, extension, .. } = class;
                initialized_at = Some(constructor::initialized_at(code, references, extension)?);
            }
        }
        let instructions = code.instructions;
        let tally = Tally::default();
        let mut walk = Self {
            kind,
            instructions,
            shape,
            class,
            edits,
            machine,
            facts,
            tally,
            initialized_at,
            frames,
            block_starts: &blocks.starts,
        };
        if let Some(entry) = entry {
            walk.enter(entry)?;
        }
        walk.all()?;
        Ok(walk.tally)
    }

    fn enter(&mut self, entry: &EntryCall) -> Result<(), MethodDecline> {
        let slots =
            hook_code::put_entry(&mut self.edits.inserted, entry, &mut self.class.extension)?;
        self.edits.entry_length = self.edits.inserted.len();
        self.machine.need(slots);
        self.tally.sites += 1;
        Ok(())
    }

    fn all(&mut self) -> Result<(), MethodDecline> {
        let mut at = 0;
        let mut falls_through = true;
        while at < self.instructions.len() {
            let frame = self.frames.first().filter(|frame| frame.at == at);
            if frame.is_some() {
                self.frames = &self.frames[1..];
            }
            if frame.is_some() || !falls_through || self.shape.is_target(at) {
                self.facts.forget_all();
                self.machine.enter_block(match frame {
                    Some(frame) => Depth::Frame(frame),
                    None if self.shape.is_handler(at) => Depth::Exactly(1),
                    None if falls_through => Depth::AsBefore,
                    None => Depth::Unknown,
                });
            }
            if self.block_starts.first() == Some(&at) {
                self.block_begins(at)?;
            }
            self.visit(at)?;
            falls_through = !op::ends_block(self.instructions[at]);
            at += known_length(self.instructions, at);
        }
        Ok(())
    }

    fn visit(&mut self, at: usize) -> Result<(), MethodDecline> {
        match self.instructions[at] {
            op::GETSTATIC | op::PUTSTATIC => return self.static_field(at),
            op::GETFIELD | op::PUTFIELD => return self.instance_field(at),
            op::IALOAD..=op::SALOAD => return self.element_read(at),
            op::IASTORE..=op::SASTORE => return self.element_write(at),
            op::INVOKEVIRTUAL..=op::INVOKEDYNAMIC => return self.call(at),
            op::NEW | op::NEWARRAY | op::ANEWARRAY | op::MULTIANEWARRAY => {
                self.allocation(at);
                return Ok(());
            }
            op::RETURN if self.kind == MethodKind::ClassInitializer => {
                if self.class.number.is_some() {
                    self.hook(at, Hook::Initialized, 0, self.class.number)?;
                }
                self.hook(at, Hook::ClassInitialized, 0, None)?;
            }
            op::MONITORENTER => self.facts.forget_reports(),
            op::IFEQ..=op::JSR | op::IFNULL | op::IFNONNULL => {
                self.edits.push(at, EditKind::ShortBranch { form: BranchForm::AsIs });
            }
            op::GOTO_W | op::JSR_W => self.edits.push(at, EditKind::LongBranch),
            op::TABLESWITCH | op::LOOKUPSWITCH => self.edits.push(at, EditKind::Switch),
            _ => {}
        }
        self.machine.step(self.instructions, at, self.shape);
        Ok(())
    }

    fn block_begins(&mut self, at: usize) -> Result<(), MethodDecline> {
        self.block_starts = &self.block_starts[1..];
        if at == 0 && self.kind == MethodKind::ClassInitializer {
            self.hook(at, Hook::Initializing, 0, self.class.number)?;
        }
        let block = self.class.next_block;
        self.class.next_block += 1;
        self.hook(at, Hook::Reached, 0, Some(block))
    }

    /// Inserts a call of a hook before the instruction. Some hooks get a number;
    /// `value_slots` is the size of a value that is about to be written.
    pub(crate) fn hook(
        &mut self,
        at: usize,
        hook: Hook,
        value_slots: usize,
        id: Option<u32>,
    ) -> Result<(), MethodDecline> {
        let extension = &mut self.class.extension;
        let from = self.edits.inserted.len();
        hook_code::put_operands(&mut self.edits.inserted, hook, value_slots);
        if let Some(id) = id {
            hook_code::put_number(&mut self.edits.inserted, id, extension)?;
        }
        hook_code::put_call(&mut self.edits.inserted, extension.hook(hook)?);
        self.edits.insert_since(from, at);
        self.machine.need(hook_code::needed_slots(hook));
        self.tally.sites += 1;
        Ok(())
    }
}

/// Whether there is a frame at `at`; they are in the order of the code.
pub(crate) fn frame_at(frames: &[FrameState], at: usize) -> bool {
    frames.binary_search_by_key(&at, |frame| frame.at).is_ok()
}
