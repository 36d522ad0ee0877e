//! The way in which compilers before Java 6 made `finally`: code that is called
//! from several places of its method.

use crate::class_file::{ClassFile, Declaration};
use crate::code::Code;
use crate::opcode as op;
use crate::shape::instruction_length;

impl ClassFile<'_> {
    /// Whether a method calls subroutines (`jsr`). Code that cannot be read
    /// counts as if it did.
    pub fn has_subroutines(&self) -> bool {
        self.methods.iter().any(|method| self.calls_subroutines(method))
    }

    fn calls_subroutines(&self, method: &Declaration<'_>) -> bool {
        let mut attributes = method.attributes.iter(&self.pool);
        let Some(code) = attributes.find(|attribute| attribute.name == b"Code") else {
            return false;
        };
        match Code::parse(code.content, &self.pool) {
            Ok(code) => has_call(code.instructions),
            Err(_) => true,
        }
    }
}

fn has_call(instructions: &[u8]) -> bool {
    let mut at = 0;
    while let Some(opcode) = instructions.get(at) {
        match instruction_length(instructions, at) {
            Ok(length) if !matches!(*opcode, op::JSR | op::JSR_W) => at += length,
            _ => return true,
        }
    }
    false
}
