//! Where in the Java code a call came from, if the agent can tell.

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

use residue_outside::layout::AFTER_THE_LAST_EPOCH;

use crate::log;

/// Given an address in whoever made the call, answers the number of the stack
/// as it stands in the log; 0 if there is none.
type TakeStack = extern "C" fn(caller: *const c_void) -> u32;

static TAKE_STACK: AtomicPtr<c_void> = AtomicPtr::new(null_mut());

thread_local! {
    /// The agent is at it, and what it does is no test's doing.
    static IN_AGENT: Cell<bool> = const { Cell::new(false) };
}

/// The agent offers to take stacks.
#[cfg_attr(not(test), unsafe(no_mangle))]
#[allow(unreachable_pub, reason = "the agent looks it up by name")]
pub extern "C" fn residue_interpose_take_stacks(take: TakeStack) {
    TAKE_STACK.store(take as *mut c_void, Ordering::Release);
}

pub(crate) fn current() -> u32 {
    let take = TAKE_STACK.load(Ordering::Acquire);
    let in_epoch = (1..AFTER_THE_LAST_EPOCH).contains(&log::epoch());
    if take.is_null() || !in_epoch || log::process() != crate::kernel::process() {
        return 0;
    }
    let Some(caller) = caller() else { return 0 };
    if IN_AGENT.replace(true) {
        return 0;
    }
    // SAFETY: only a function of this type is ever stored.
    let take: TakeStack = unsafe { std::mem::transmute(take) };
    let stack = take(caller);
    IN_AGENT.set(false);
    stack
}

/// The innermost return address outside this library.
fn caller() -> Option<*const c_void> {
    struct Search {
        own: *mut c_void,
        found: *const c_void,
    }
    extern "C" fn step(context: *mut Context, search: *mut c_void) -> c_int {
        // SAFETY: the unwinder gives its own context and our own search.
        let (address, search) =
            unsafe { (_Unwind_GetIP(context) as *const c_void, &mut *search.cast::<Search>()) };
        if library(address) == search.own {
            return GO_ON;
        }
        search.found = address;
        STOP
    }
    let own = library(step as *const c_void);
    let mut search = Search { own, found: std::ptr::null() };
    // SAFETY: the callback gets what it expects and leaves when it has found it.
    unsafe { _Unwind_Backtrace(step, (&raw mut search).cast()) };
    (!search.found.is_null()).then_some(search.found)
}

/// Where the library that has an address was loaded; null if none has it.
pub(crate) fn library(address: *const c_void) -> *mut c_void {
    let mut info = std::mem::MaybeUninit::<libc::Dl_info>::uninit();
    // SAFETY: the structure is filled in if the answer is not zero.
    unsafe {
        match libc::dladdr(address, info.as_mut_ptr()) {
            0 => null_mut(),
            _ => info.assume_init().dli_fbase,
        }
    }
}

#[repr(C)]
struct Context {
    _private: [u8; 0],
}

const GO_ON: c_int = 0;
const STOP: c_int = 4;

unsafe extern "C" {
    fn _Unwind_Backtrace(
        step: extern "C" fn(*mut Context, *mut c_void) -> c_int,
        argument: *mut c_void,
    ) -> c_int;
    fn _Unwind_GetIP(context: *mut Context) -> usize;
}
