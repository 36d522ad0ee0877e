//! The operand stack and the locals of a method, instruction by instruction.
//!
//! Code that would not verify may take more from the stack than is there: such
//! values are unknown, which is always a safe answer.

use crate::bytes::u16_at;
use crate::frame_states::{FrameState, Place};
use crate::opcode as op;
use crate::shape::Shape;
use crate::values::{NewValues, Value};

/// The state before an instruction.
#[derive(Debug, Default)]
pub(crate) struct Machine {
    stack: Vec<Value>,
    /// What locals were found to hold in the current block, and in which block
    /// that was.
    locals: Vec<(u32, Value)>,
    block: u32,
    new_values: NewValues,
    /// Whether the depth of the stack is known.
    is_exact: bool,
    max_stack: usize,
    needed: usize,
}

impl Machine {
    pub(crate) fn start(&mut self, max_stack: u16, max_locals: u16) {
        self.stack.clear();
        self.locals.clear();
        self.locals.resize(usize::from(max_locals), (0, Value::UNKNOWN));
        self.block = 1;
        self.new_values = NewValues::default();
        self.is_exact = true;
        self.max_stack = usize::from(max_stack);
        self.needed = self.max_stack;
    }

    /// Forgets all values where control may come from elsewhere.
    pub(crate) fn enter_block(&mut self, depth: Depth<'_>) {
        self.block += 1;
        match depth {
            Depth::Frame(frame) => {
                self.is_exact = true;
                self.stack.clear();
                self.stack.resize(frame.stack_slots, Value::UNKNOWN);
                for &place in &frame.uninitialized_this {
                    match place {
                        Place::Local(local) => self.set_local(local, Value::THIS),
                        Place::Stack(slot) => self.stack[slot] = Value::THIS,
                    }
                }
            }
            Depth::Exactly(depth) => {
                self.is_exact = true;
                self.stack.clear();
                self.stack.resize(depth, Value::UNKNOWN);
            }
            Depth::AsBefore => self.stack.fill(Value::UNKNOWN),
            Depth::Unknown => {
                self.is_exact = false;
                self.stack.clear();
            }
        }
    }

    /// Inserted code needs this many slots above what is on the stack.
    pub(crate) fn need(&mut self, slots: usize) {
        let depth = if self.is_exact { self.stack.len() } else { self.max_stack };
        self.needed = self.needed.max(depth + slots);
    }

    /// The largest depth of the stack with inserted code.
    pub(crate) fn needed(&self) -> usize {
        self.needed
    }

    /// The value that lies below `above` slots.
    pub(crate) fn peek(&self, above: usize) -> Value {
        let index = self.stack.len().checked_sub(above + 1);
        index.map_or(Value::UNKNOWN, |index| self.stack[index])
    }

    pub(crate) fn push(&mut self, value: Value) {
        self.stack.push(value);
    }

    pub(crate) fn push_new(&mut self, slots: usize) -> Value {
        let value = self.new_values.next();
        match slots {
            0 => {}
            1 => self.stack.push(value),
            _ => self.stack.extend([Value::UNKNOWN; 2]),
        }
        value
    }

    pub(crate) fn pop(&mut self) -> Value {
        self.stack.pop().unwrap_or(Value::UNKNOWN)
    }

    pub(crate) fn pop_slots(&mut self, slots: usize) {
        self.stack.truncate(self.stack.len().saturating_sub(slots));
    }

    pub(crate) fn set_local(&mut self, local: usize, value: Value) {
        if let Some(entry) = self.locals.get_mut(local) {
            *entry = (self.block, value);
        }
    }

    fn load(&mut self, local: usize, type_number: u8, shape: &Shape) {
        if op::typed_slots(type_number) == 2 {
            self.push_new(2);
            return;
        }
        let known = self.locals.get(local).filter(|entry| entry.0 == self.block);
        let value = match known {
            Some(&(_, value)) => value,
            None if shape.is_never_stored(local) => Value::of_parameter(local),
            None => {
                let value = self.new_values.next();
                self.set_local(local, value);
                value
            }
        };
        self.stack.push(value);
    }

    fn store(&mut self, local: usize, type_number: u8) {
        if op::typed_slots(type_number) == 2 {
            self.pop_slots(2);
            let value = self.new_values.next();
            self.set_local(local, value);
            self.set_local(local + 1, value);
        } else {
            let value = self.pop();
            self.set_local(local, value);
        }
    }

    fn change_local(&mut self, local: usize) {
        let value = self.new_values.next();
        self.set_local(local, value);
    }

    /// Carries out an instruction that has nothing to do with fields, calls and
    /// allocations.
    pub(crate) fn step(&mut self, instructions: &[u8], at: usize, shape: &Shape) {
        let opcode = instructions[at];
        match opcode {
            op::ICONST_M1..=op::ICONST_5 => {
                self.push(Value::of_number(i16::from(opcode) - i16::from(op::ICONST_0)));
            }
            op::BIPUSH => {
                let number = instructions[at + 1].cast_signed();
                self.push(Value::of_number(i16::from(number)));
            }
            op::SIPUSH => {
                self.push(Value::of_number(u16_at(instructions, at + 1).cast_signed()));
            }
            op::ILOAD..=op::ALOAD => {
                self.load(usize::from(instructions[at + 1]), opcode - op::ILOAD, shape);
            }
            op::ILOAD_0..=op::ALOAD_3 => {
                let number = opcode - op::ILOAD_0;
                self.load(usize::from(number % 4), number / 4, shape);
            }
            op::ISTORE..=op::ASTORE => {
                self.store(usize::from(instructions[at + 1]), opcode - op::ISTORE);
            }
            op::ISTORE_0..=op::ASTORE_3 => {
                let number = opcode - op::ISTORE_0;
                self.store(usize::from(number % 4), number / 4);
            }
            op::IINC => self.change_local(usize::from(instructions[at + 1])),
            op::WIDE => {
                let local = usize::from(u16_at(instructions, at + 2));
                match instructions[at + 1] {
                    load @ op::ILOAD..=op::ALOAD => self.load(local, load - op::ILOAD, shape),
                    store @ op::ISTORE..=op::ASTORE => self.store(local, store - op::ISTORE),
                    op::IINC => self.change_local(local),
                    _ => {}
                }
            }
            op::DUP => self.duplicate(1, 0),
            op::DUP_X1 => self.duplicate(1, 1),
            op::DUP_X2 => self.duplicate(1, 2),
            op::DUP2 => self.duplicate(2, 0),
            op::DUP2_X1 => self.duplicate(2, 1),
            op::DUP2_X2 => self.duplicate(2, 2),
            op::SWAP => {
                let (upper, lower) = (self.pop(), self.pop());
                self.stack.extend([upper, lower]);
            }
            // The value stays the same.
            op::CHECKCAST => {}
            _ => {
                let (popped, pushed) = op::EFFECTS[usize::from(opcode)];
                self.pop_slots(usize::from(popped));
                self.push_new(usize::from(pushed));
            }
        }
    }

    /// Copies the upper `count` slots below the `under` slots beneath them.
    fn duplicate(&mut self, count: usize, under: usize) {
        let needed = count + under;
        if self.stack.len() < needed {
            let missing = needed - self.stack.len();
            self.stack.splice(..0, std::iter::repeat_n(Value::UNKNOWN, missing));
        }
        let upper = self.stack.len() - count;
        let copied = [self.stack[upper], self.stack[self.stack.len() - 1]];
        let place = upper - under;
        self.stack.splice(place..place, copied.into_iter().take(count));
    }
}

/// How deep the stack is where a block begins.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Depth<'a> {
    Frame(&'a FrameState),
    Exactly(usize),
    AsBefore,
    Unknown,
}
