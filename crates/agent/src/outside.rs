//! The library that is preloaded into the JVM to watch files and sockets, if
//! it is there: it learns from us which epoch runs, and asks for the stacks of
//! Java code that it cannot see itself.

use std::ffi::{CStr, c_int, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use jni_sys::{JNIEnv, jint};
use residue_outside::NOBODYS;
use residue_outside::layout::AFTER_THE_LAST_EPOCH;

use crate::agent::guarded;
use crate::critical;
use crate::jvm::{Jni, Vm};
use crate::stacks::RawStack;

/// Libraries of the JDK that are entered by JNI alone.
const OF_THE_JDK: [&[u8]; 3] = [b"/libnio.so", b"/libnet.so", b"/libjava.so"];

type TellEpoch = extern "C" fn(number: u32, kind: c_int, position: u32);
type TakeStack = extern "C" fn(caller: *const c_void) -> u32;
type OfferStacks = extern "C" fn(take: TakeStack);

static VM: OnceLock<Vm> = OnceLock::new();
static EPOCHS: AtomicU32 = AtomicU32::new(0);
/// Functions were linked that are called without a word to the VM, which takes
/// the thread for one that runs Java code: to ask it for its stack would be fatal.
static CRITICAL_CALLS: AtomicBool = AtomicBool::new(false);

/// Offers to take stacks.
pub(crate) fn start(vm: Vm) {
    if VM.set(vm).is_err() {
        return;
    }
    if let Some(offer) = function(c"residue_interpose_take_stacks") {
        // SAFETY: the function of that name has this type.
        let offer: OfferStacks = unsafe { std::mem::transmute(offer) };
        offer(take_stack);
    }
}

/// The next epoch begins.
pub(crate) fn begin_epoch(kind: jint, position: u32) {
    let number = EPOCHS.fetch_add(1, Ordering::Relaxed) + 1;
    tell(number, kind, position);
}

/// Native code that is not the JDK's can no longer be asked whose it is.
pub(crate) fn expect_critical_calls() {
    CRITICAL_CALLS.store(true, Ordering::Release);
}

/// What happens from now on is no test's doing.
pub(crate) fn end() {
    tell(AFTER_THE_LAST_EPOCH, 0, 0);
}

fn tell(number: u32, kind: c_int, position: u32) {
    static TELL: OnceLock<Option<usize>> = OnceLock::new();
    let tell =
        TELL.get_or_init(|| function(c"residue_interpose_epoch").map(|function| function as usize));
    if let Some(tell) = tell {
        // SAFETY: the function of that name has this type.
        let tell: TellEpoch = unsafe { std::mem::transmute(*tell) };
        tell(number, kind, position);
    }
}

fn function(name: &CStr) -> Option<*mut c_void> {
    // SAFETY: the name ends with a zero byte.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    (!found.is_null()).then_some(found)
}

/// The caller is native code that Java code called. The thread is where JVMTI
/// may be used, unless it never told the VM that it has left Java code.
extern "C" fn take_stack(caller: *const c_void) -> u32 {
    let is_critical = CRITICAL_CALLS.load(Ordering::Acquire) && !is_of_the_jdk(caller);
    if is_critical || critical::holds_pointer() {
        return 0;
    }
    let Some(env) = VM.get().and_then(Vm::env_of_this_thread) else { return 0 };
    // SAFETY: it is the environment of the current thread.
    if unsafe { Jni::new(env) }.is_throwing() {
        return 0;
    }
    number_of_stack(env)
}

fn number_of_stack(env: *mut JNIEnv) -> u32 {
    // SAFETY: it is the environment of the current thread.
    unsafe {
        guarded(env, 0, |agent, jni| {
            let raw = RawStack::take(agent.jvmti);
            let recording = &mut *agent.recording();
            let stack = recording.stacks.number(&raw, agent.jvmti, jni, &mut recording.writer);
            let number = stack.id.index() as u32 + 1;
            if stack.machinery_only { number | NOBODYS } else { number }
        })
    }
}

fn is_of_the_jdk(address: *const c_void) -> bool {
    let mut info = std::mem::MaybeUninit::<libc::Dl_info>::uninit();
    // SAFETY: the structure is filled in if the answer is not zero, with a path that ends with a
    // zero byte and stays as long as the library.
    unsafe {
        if libc::dladdr(address, info.as_mut_ptr()) == 0 {
            return false;
        }
        let path = info.assume_init().dli_fname;
        !path.is_null() && {
            let path = CStr::from_ptr(path).to_bytes();
            OF_THE_JDK.iter().any(|name| path.ends_with(name))
        }
    }
}
