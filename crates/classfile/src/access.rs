//! Which accesses get a hook. [`crate::ClassFile::rewrite`] lists those that
//! do not.

use crate::bytes::u16_at;
use crate::decline::MethodDecline;
use crate::descriptor::Kind;
use crate::edits::EditKind;
use crate::facts::Touched;
use crate::hook::Hook;
use crate::method::{MethodKind, Walk};
use crate::opcode as op;
use crate::references::{FieldUse, MethodUse, Role};
use crate::values::Value;

impl Walk<'_, '_, '_> {
    fn constant_index(&self, at: usize) -> u16 {
        u16_at(self.instructions, at + 1)
    }

    pub(crate) fn static_field(&mut self, at: usize) -> Result<(), MethodDecline> {
        let index = self.constant_index(at);
        let field = self.class.references.field(index)?;
        let is_write = self.instructions[at] == op::PUTSTATIC;
        if !field.is_own && !self.facts.is_touched(Touched::Static(index)) {
            // It may run the class initialiser of another class.
            self.facts.forget_reports();
        }
        let is_initialization = field.is_own && self.kind == MethodKind::ClassInitializer;
        if !is_initialization && !self.is_fixed(field, is_write) {
            let hook = match (is_write, field.kind) {
                (false, _) => Hook::StaticRead,
                (true, Kind::Reference) => Hook::StaticWriteRef,
                (true, _) => Hook::StaticWrite,
            };
            self.field_hook(at, hook, field, Touched::Static(index), is_write)?;
        }
        if is_write {
            self.store_field_value(field);
        } else {
            self.load_field_value(field);
        }
        Ok(())
    }

    pub(crate) fn instance_field(&mut self, at: usize) -> Result<(), MethodDecline> {
        let index = self.constant_index(at);
        let field = self.class.references.field(index)?;
        let is_write = self.instructions[at] == op::PUTFIELD;
        let above = if is_write { field.kind.slots() } else { 0 };
        let receiver = self.machine.peek(above);
        let is_unknown_to_others =
            self.is_under_construction(receiver) || self.facts.is_private(receiver);
        if is_unknown_to_others || self.may_be_uninitialized(at, field, is_write) {
            self.tally.redundant += 1;
        } else if !self.is_fixed(field, is_write) {
            let hook = match (is_write, field.kind) {
                (false, _) => Hook::Read,
                (true, Kind::Reference) => Hook::WriteRef,
                (true, _) => Hook::Write,
            };
            self.field_hook(at, hook, field, Touched::Field(receiver, index), is_write)?;
        }
        if is_write {
            self.store_field_value(field);
            self.machine.pop();
        } else {
            self.machine.pop();
            self.load_field_value(field);
        }
        Ok(())
    }

    fn is_under_construction(&self, receiver: Value) -> bool {
        self.kind == MethodKind::Constructor && receiver == Value::THIS
    }

    /// Only a field of the class itself can be written before another
    /// constructor was called, and nothing can be read.
    fn may_be_uninitialized(&self, at: usize, field: FieldUse, is_write: bool) -> bool {
        let unclear = self.initialized_at.as_ref().is_some_and(|initialized| !initialized[at]);
        unclear && is_write && field.is_own
    }

    /// Whether the access can neither change the field nor see a change.
    fn is_fixed(&self, field: FieldUse, is_write: bool) -> bool {
        let initializes = self.kind != MethodKind::Ordinary;
        field.is_constant || field.is_own_final && (!is_write || initializes)
    }

    fn field_hook(
        &mut self,
        at: usize,
        hook: Hook,
        field: FieldUse,
        touched: Touched,
        is_write: bool,
    ) -> Result<(), MethodDecline> {
        let is_static = matches!(touched, Touched::Static(_));
        let index = self.constant_index(at);
        let Some(id) = self.class.references.field_id(index, is_static, self.class.ids)? else {
            return Ok(());
        };
        if self.facts.is_reported(touched, is_write) {
            self.tally.redundant += 1;
            return Ok(());
        }
        self.hook(at, hook, field.kind.slots(), Some(id))
    }

    fn store_field_value(&mut self, field: FieldUse) {
        if field.kind == Kind::Reference {
            self.facts.publish(self.machine.peek(0));
        }
        self.machine.pop_slots(field.kind.slots());
    }

    fn load_field_value(&mut self, field: FieldUse) {
        let value = self.machine.push_new(field.kind.slots());
        if field.is_constant && field.kind == Kind::Reference {
            self.facts.make_constant(value);
        }
    }

    pub(crate) fn element_read(&mut self, at: usize) -> Result<(), MethodDecline> {
        let (array, index) = (self.machine.peek(1), self.machine.peek(0));
        if !self.facts.is_constant(array) {
            self.element_hook(at, Hook::ElementRead, 0, array, index)?;
        }
        self.machine.step(self.instructions, at, self.shape);
        Ok(())
    }

    pub(crate) fn element_write(&mut self, at: usize) -> Result<(), MethodDecline> {
        let opcode = self.instructions[at];
        let value_slots = if matches!(opcode, op::LASTORE | op::DASTORE) { 2 } else { 1 };
        let (array, index) = (self.machine.peek(value_slots + 1), self.machine.peek(value_slots));
        let hook = if opcode == op::AASTORE { Hook::ElementWriteRef } else { Hook::ElementWrite };
        if opcode == op::AASTORE {
            self.facts.publish(self.machine.peek(0));
        }
        if !self.facts.is_constant(array) {
            self.element_hook(at, hook, value_slots, array, index)?;
        }
        self.machine.step(self.instructions, at, self.shape);
        Ok(())
    }

    fn element_hook(
        &mut self,
        at: usize,
        hook: Hook,
        value_slots: usize,
        array: Value,
        index: Value,
    ) -> Result<(), MethodDecline> {
        let touched = Touched::Element(array, index);
        let is_write = hook != Hook::ElementRead;
        if self.facts.is_private(array) || self.facts.is_reported(touched, is_write) {
            self.tally.redundant += 1;
            return Ok(());
        }
        self.hook(at, hook, value_slots, None)
    }

    pub(crate) fn allocation(&mut self, at: usize) {
        match self.instructions[at] {
            op::NEW => {
                // It may run a class initialiser.
                self.facts.forget_reports();
                self.machine.push_new(1);
            }
            opcode => {
                let dimensions =
                    if opcode == op::MULTIANEWARRAY { self.instructions[at + 3] } else { 1 };
                self.machine.pop_slots(usize::from(dimensions));
                let array = self.machine.push_new(1);
                self.facts.make_private(array);
            }
        }
    }

    pub(crate) fn call(&mut self, at: usize) -> Result<(), MethodDecline> {
        let opcode = self.instructions[at];
        let index = self.constant_index(at);
        if opcode == op::INVOKEDYNAMIC {
            let (parameters, result) = self.class.references.call_site(index)?;
            self.pass(usize::from(parameters));
            self.machine.push_new(usize::from(result));
            return Ok(());
        }
        let method = self.class.references.method(index, &mut self.class.extension)?;
        let is_clone = method.role == Role::Clone;
        if let Some(method) = replacement(opcode, &method) {
            self.edits.push(at, EditKind::CallInstead { method });
            self.tally.sites += 1;
        } else if is_clone {
            self.clone_hook(at)?;
        }
        let receiver = usize::from(opcode != op::INVOKESTATIC);
        if is_clone {
            // The original is not passed on.
            self.facts.forget_reports();
            self.machine.pop();
        } else {
            self.pass(usize::from(method.parameters) + receiver);
        }
        let value = self.machine.push_new(usize::from(method.result));
        match method.role {
            Role::Clone => self.facts.make_private(value),
            Role::SwitchTable => self.facts.make_constant(value),
            Role::Ordinary | Role::OwnConstructor | Role::OtherConstructor => {}
        }
        Ok(())
    }

    fn clone_hook(&mut self, at: usize) -> Result<(), MethodDecline> {
        let original = self.machine.peek(0);
        if self.facts.is_private(original) {
            self.tally.redundant += 1;
        } else if !self.facts.is_constant(original) {
            self.hook(at, Hook::Cloning, 0, None)?;
        }
        Ok(())
    }

    /// Hands the upper slots to somebody who may do anything with them.
    fn pass(&mut self, slots: usize) {
        self.facts.forget_reports();
        for _ in 0..slots {
            let value = self.machine.pop();
            self.facts.publish(value);
        }
    }
}

fn replacement(opcode: u8, method: &MethodUse) -> Option<u16> {
    match opcode {
        op::INVOKESTATIC => method.static_replacement,
        op::INVOKEVIRTUAL => method.virtual_replacement,
        _ => None,
    }
}
