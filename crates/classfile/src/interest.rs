//! Whether the code of a method has anything that may deserve a hook, told
//! without following its values. Of the methods that a JVM loads before its
//! first test, most have nothing.

use crate::bytes::u16_at;
use crate::decline::MethodDecline;
use crate::method::ClassState;
use crate::opcode as op;
use crate::references::Role;
use crate::shape::known_length;

/// Looks at code that [`Shape::examine`](crate::shape::Shape::examine) has
/// accepted. What it finds uninteresting gets no hook in any case.
pub(crate) fn is_interesting(
    instructions: &[u8],
    class: &mut ClassState<'_, '_>,
) -> Result<bool, MethodDecline> {
    let mut at = 0;
    while at < instructions.len() {
        let is_interesting = match instructions[at] {
            op::IALOAD..=op::SALOAD | op::IASTORE..=op::SASTORE => true,
            opcode @ op::GETSTATIC..=op::PUTFIELD => {
                is_field_of_interest(opcode, u16_at(instructions, at + 1), class)?
            }
            op::INVOKEVIRTUAL..=op::INVOKESTATIC => {
                let index = u16_at(instructions, at + 1);
                let method = class.references.method(index, &mut class.extension)?;
                method.role == Role::Clone
                    || method.static_replacement.is_some()
                    || method.virtual_replacement.is_some()
            }
            _ => false,
        };
        if is_interesting {
            return Ok(true);
        }
        at += known_length(instructions, at);
    }
    Ok(false)
}

fn is_field_of_interest(
    opcode: u8,
    index: u16,
    class: &mut ClassState<'_, '_>,
) -> Result<bool, MethodDecline> {
    let field = class.references.field(index)?;
    let is_read = matches!(opcode, op::GETSTATIC | op::GETFIELD);
    if field.is_constant || field.is_own_final && is_read {
        return Ok(false);
    }
    let is_static = matches!(opcode, op::GETSTATIC | op::PUTSTATIC);
    Ok(class.references.field_id(index, is_static, class.ids)?.is_some())
}
