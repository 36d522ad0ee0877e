//! Where in the Java code a call came from, if the agent can tell.

use std::cell::Cell;
use std::ffi::{CStr, c_int, c_void};
use std::ptr::{null, null_mut};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use residue_outside::NOBODYS;
use residue_outside::layout::AFTER_THE_LAST_EPOCH;

use crate::log;

/// Given an address in native code that Java code called, answers the number of
/// the stack as it stands in the log; 0 if there is none.
type TakeStack = extern "C" fn(caller: *const c_void) -> u32;

/// Frames that are looked at before it counts as unknown who called.
const DEEPEST: u32 = 256;

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
    let caller = match Caller::find() {
        Caller::Native(address) => address,
        Caller::Vm => return NOBODYS,
        Caller::Unknown => return 0,
    };
    if IN_AGENT.replace(true) {
        return 0;
    }
    // SAFETY: only a function of this type is ever stored.
    let take: TakeStack = unsafe { std::mem::transmute(take) };
    let stack = take(caller);
    IN_AGENT.set(false);
    stack
}

/// Whose call it is.
#[derive(Debug)]
enum Caller {
    /// Native code that Java code called, or Java code that called this very
    /// function; here. The VM counts the thread as one that runs native code.
    Native(*const c_void),
    /// The VM's own. It may be in the middle of anything, and must be left in
    /// peace.
    Vm,
    /// A signal handler's, or that of code that cannot be looked through.
    Unknown,
}

impl Caller {
    /// Goes up from native frame to native frame until there is code that is in
    /// no library, which is what the VM made of Java code, or the VM itself.
    fn find() -> Self {
        let mut search = Search { innermost: null(), found: Self::Unknown, left: DEEPEST };
        // SAFETY: the callback gets what it expects, and leaves when it has found it.
        unsafe { _Unwind_Backtrace(Search::step, (&raw mut search).cast()) };
        search.found
    }
}

struct Search {
    /// Outside this library.
    innermost: *const c_void,
    found: Caller,
    left: u32,
}

impl Search {
    extern "C" fn step(context: *mut Context, search: *mut c_void) -> c_int {
        let mut is_interrupted = 0;
        // SAFETY: the unwinder gives its own context and our own search.
        let (address, search) = unsafe {
            let address = _Unwind_GetIPInfo(context, &raw mut is_interrupted);
            (address as *const c_void, &mut *search.cast::<Self>())
        };
        search.left -= 1;
        // What a signal interrupted may be Java code, of which nothing can be asked.
        if address.is_null() || is_interrupted != 0 || search.left == 0 {
            return STOP;
        }
        match Library::of(address) {
            Some(library) if library.base == own() => return GO_ON,
            Some(library) if library.is_vm() => search.found = Caller::Vm,
            Some(_) => {
                if search.innermost.is_null() {
                    search.innermost = address;
                }
                return GO_ON;
            }
            None if search.innermost.is_null() => search.found = Caller::Native(address),
            None => search.found = Caller::Native(search.innermost),
        }
        STOP
    }
}

/// A library that is loaded.
struct Library {
    base: *mut c_void,
    path: *const std::ffi::c_char,
}

impl Library {
    /// The one that has this address.
    fn of(address: *const c_void) -> Option<Self> {
        let mut info = std::mem::MaybeUninit::<libc::Dl_info>::uninit();
        // SAFETY: the structure is filled in if the answer is not zero.
        unsafe {
            if libc::dladdr(address, info.as_mut_ptr()) == 0 {
                return None;
            }
            let info = info.assume_init();
            Some(Self { base: info.dli_fbase, path: info.dli_fname })
        }
    }

    fn is_vm(&self) -> bool {
        // SAFETY: a text that ends with a zero byte and stays as long as the library.
        !self.path.is_null()
            && unsafe { CStr::from_ptr(self.path) }.to_bytes().ends_with(b"/libjvm.so")
    }
}

/// Where the library that has an address was loaded; null if none has it.
pub(crate) fn library(address: *const c_void) -> *mut c_void {
    Library::of(address).map_or(null_mut(), |library| library.base)
}

/// Where this library was loaded.
fn own() -> *mut c_void {
    static OWN: OnceLock<usize> = OnceLock::new();
    *OWN.get_or_init(|| library(Search::step as *const c_void) as usize) as *mut c_void
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
    /// Also tells whether the frame was interrupted by a signal.
    fn _Unwind_GetIPInfo(context: *mut Context, is_interrupted: *mut c_int) -> usize;
}
