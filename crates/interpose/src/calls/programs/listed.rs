//! `execl` and its like, which take the program's arguments one by one. Inside
//! the C library they start programs past everything that is interposed, so
//! their arguments are made a list, and the calls that take one do the rest.

use std::arch::naked_asm;
use std::ffi::{c_char, c_int};

use crate::errno::quietly;
use crate::{kernel, start};

use super::{Texts, execve, execvpe};

/// Arguments after the first that come in registers.
#[cfg(target_arch = "x86_64")]
const IN_REGISTERS: usize = 5;
#[cfg(target_arch = "aarch64")]
const IN_REGISTERS: usize = 7;

/// Passes on where a call finds its further arguments: in registers, which are
/// put into memory for that, and on the stack.
macro_rules! gather {
    ($(fn $name:ident = $with_list:ident;)*) => {$(
        #[cfg_attr(not(test), unsafe(no_mangle))]
        #[unsafe(naked)]
        #[allow(missing_docs, unreachable_pub, reason = "as the C library documents it")]
        pub unsafe extern "C" fn $name(program: *const c_char) -> c_int {
            #[cfg(target_arch = "x86_64")]
            naked_asm!(
                "lea r10, [rsp + 8]",
                "sub rsp, 56",
                "mov [rsp], rsi",
                "mov [rsp + 8], rdx",
                "mov [rsp + 16], rcx",
                "mov [rsp + 24], r8",
                "mov [rsp + 32], r9",
                "mov rsi, rsp",
                "mov rdx, r10",
                "call {with_list}",
                "add rsp, 56",
                "ret",
                with_list = sym $with_list,
            );
            #[cfg(target_arch = "aarch64")]
            naked_asm!(
                "mov x9, sp",
                "sub sp, sp, #80",
                "stp x1, x2, [sp]",
                "stp x3, x4, [sp, #16]",
                "stp x5, x6, [sp, #32]",
                "stp x7, x30, [sp, #48]",
                "mov x1, sp",
                "mov x2, x9",
                "bl {with_list}",
                "ldr x30, [sp, #56]",
                "add sp, sp, #80",
                "ret",
                with_list = sym $with_list,
            );
        }
    )*};
}

gather! {
    fn execl = at_path;
    fn execlp = in_path;
    fn execle = with_environment;
}

unsafe extern "C" fn at_path(program: *const c_char, registers: Texts, stack: Texts) -> c_int {
    // SAFETY: the caller's arguments, as the caller gave them; so in the next two.
    unsafe { with_list(registers, stack, |list, _| execve(program, list, start::environment())) }
}

unsafe extern "C" fn in_path(program: *const c_char, registers: Texts, stack: Texts) -> c_int {
    unsafe { with_list(registers, stack, |list, _| execvpe(program, list, start::environment())) }
}

unsafe extern "C" fn with_environment(
    program: *const c_char,
    registers: Texts,
    stack: Texts,
) -> c_int {
    unsafe {
        with_list(registers, stack, |list, environment| execve(program, list, environment.cast()))
    }
}

/// Calls with a list of the arguments, and with what follows the null at their
/// end, which means something to `execle` alone.
///
/// # Safety
/// The arguments must end with a null.
unsafe fn with_list(
    registers: Texts,
    stack: Texts,
    call: impl FnOnce(Texts, *const c_char) -> c_int,
) -> c_int {
    // SAFETY: by contract, as long as nothing beyond the null is asked for.
    let argument = |index: usize| unsafe {
        match index.checked_sub(IN_REGISTERS) {
            None => *registers.add(index),
            Some(index) => *stack.add(index),
        }
    };
    let mut count = 0;
    while !argument(count).is_null() {
        count += 1;
    }
    let bytes = (count + 1) * size_of::<*const c_char>();
    let Some(memory) = quietly(None, || kernel::map_private(bytes)) else {
        crate::errno::set(libc::ENOMEM);
        return -1;
    };
    let list: *mut *const c_char = memory.cast();
    for index in 0..count {
        // SAFETY: there is room for all of them, and the null is there already.
        unsafe { list.add(index).write(argument(index)) };
    }
    // There is a next place in any case: of a register, or of the caller's stack.
    let done = call(list.cast_const(), argument(count + 1));
    // It did not work, else nobody would be here.
    // SAFETY: nobody uses the list any more.
    quietly((), || unsafe { kernel::unmap(memory, bytes) });
    done
}
