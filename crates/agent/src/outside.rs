//! The library that is preloaded into the JVM to watch files and sockets, if
//! it is there: it learns from us which epoch runs, and asks for the stacks of
//! Java code that it cannot see itself.

use std::ffi::{CStr, c_int, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use jni_sys::{JNIEnv, jint};
use residue_outside::NOBODYS;
use residue_outside::layout::AFTER_THE_LAST_EPOCH;

use crate::agent::guarded;
use crate::jvm::Vm;
use crate::stacks::RawStack;

/// Libraries of the JDK whose calls come straight from Java code: the thread is
/// in native code, where JVMTI may be used, and holds nothing that a collector
/// waits for. Of others nobody knows, and the VM's own must not be disturbed.
const ENTERED_FROM_JAVA: [&[u8]; 3] = [b"/libnio.so", b"/libnet.so", b"/libjava.so"];

/// What the VM itself calls in `libjava`, by the end of its name.
const CALLED_BY_VM: &[u8] = b"Canonicalize";

type TellEpoch = extern "C" fn(number: u32, kind: c_int, position: u32);
type TakeStack = extern "C" fn(caller: *const c_void) -> u32;
type OfferStacks = extern "C" fn(take: TakeStack);

static VM: OnceLock<Vm> = OnceLock::new();
static EPOCHS: AtomicU32 = AtomicU32::new(0);

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

extern "C" fn take_stack(caller: *const c_void) -> u32 {
    if !is_entered_from_java(caller) {
        return 0;
    }
    let Some(env) = VM.get().and_then(Vm::env_of_this_thread) else { return 0 };
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

fn is_entered_from_java(address: *const c_void) -> bool {
    let mut info = std::mem::MaybeUninit::<libc::Dl_info>::uninit();
    // SAFETY: the structure is filled in if the answer is not zero, with texts that end with zero
    // bytes and stay as long as the library.
    unsafe {
        if libc::dladdr(address, info.as_mut_ptr()) == 0 {
            return false;
        }
        let info = info.assume_init();
        if info.dli_fname.is_null() {
            return false;
        }
        let is_called_by_vm = !info.dli_sname.is_null()
            && CStr::from_ptr(info.dli_sname).to_bytes().ends_with(CALLED_BY_VM);
        let library = CStr::from_ptr(info.dli_fname).to_bytes();
        !is_called_by_vm && ENTERED_FROM_JAVA.iter().any(|name| library.ends_with(name))
    }
}
