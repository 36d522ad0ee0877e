//! What happens when the library is loaded, before `main`.

use std::ffi::{CStr, c_char, c_int};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

use residue_outside::EventKind;
use residue_outside::environment::{EPOCH, LOG, PRELOAD};
use residue_outside::layout::{AFTER_THE_LAST_EPOCH, CAPACITY};

use crate::notes::{self, Again};
use crate::{descriptors, kernel, log, lookups};

unsafe extern "C" {
    static mut environ: *mut *mut c_char;
}

/// The texts of the environment by which we got here, `NAME=VALUE`. They stay
/// where the kernel has put them.
static LOG_ENTRY: AtomicPtr<c_char> = AtomicPtr::new(null_mut());
static PRELOAD_ENTRY: AtomicPtr<c_char> = AtomicPtr::new(null_mut());

#[cfg(not(test))]
#[used]
#[unsafe(link_section = ".init_array")]
static START: extern "C" fn() = start;

extern "C" fn start() {
    std::panic::set_hook(Box::new(|_| {}));
    lookups::real();
    let (log_entry, epoch_entry) = (take_out(LOG), take_out(EPOCH));
    let Some(log_entry) = log_entry else { return };
    let epoch = epoch_entry.and_then(|entry| {
        std::str::from_utf8(value(entry)).ok().and_then(|epoch| epoch.parse::<u32>().ok())
    });
    hide_preload();
    LOG_ENTRY.store(log_entry, Ordering::Relaxed);
    // SAFETY: the name and the equals sign come before the value.
    let path = unsafe { log_entry.add(LOG.len() + 1) };
    let Some(memory) = kernel::map_shared(path, CAPACITY) else { return };
    log::attach(memory, epoch, kernel::process());
    descriptors::inherit();
    // SAFETY: the handler only stores a number.
    unsafe { libc::pthread_atfork(None, None, Some(forked)) };
}

unsafe extern "C" fn forked() {
    log::set_process(kernel::process());
}

/// Takes a variable out of the environment.
fn take_out(name: &str) -> Option<*mut c_char> {
    // SAFETY: nobody else runs yet, and the list ends with a null.
    unsafe {
        let mut place = environ;
        while !place.is_null() && !(*place).is_null() {
            if is_called(*place, name) {
                let found = *place;
                let mut at = place;
                while !(*at).is_null() {
                    *at = *at.add(1);
                    at = at.add(1);
                }
                return Some(found);
            }
            place = place.add(1);
        }
        None
    }
}

/// Leaves in the variable of preloaded libraries only what others have put there.
fn hide_preload() {
    // SAFETY: nobody else runs yet; texts of the environment may be changed in place.
    unsafe {
        let mut place = environ;
        while !place.is_null() && !(*place).is_null() {
            if is_called(*place, PRELOAD) {
                PRELOAD_ENTRY.store(*place, Ordering::Relaxed);
                match value(*place).iter().position(|byte| *byte == b':') {
                    None => _ = take_out(PRELOAD),
                    Some(end) => {
                        // The whole stays as it is for the programs that are started.
                        let others = (*place).add(PRELOAD.len() + 1 + end + 1);
                        *place = with_name(others);
                    }
                }
                return;
            }
            place = place.add(1);
        }
    }
}

/// `LD_PRELOAD=` and a value, in memory that stays for good.
fn with_name(value: *const c_char) -> *mut c_char {
    // SAFETY: the value ends with a zero byte, and the memory is large enough for all of it.
    unsafe {
        let length = CStr::from_ptr(value).to_bytes_with_nul().len();
        let Some(memory) = kernel::map_private(PRELOAD.len() + 1 + length) else {
            return null_mut();
        };
        memory.copy_from_nonoverlapping(PRELOAD.as_ptr(), PRELOAD.len());
        memory.add(PRELOAD.len()).write(b'=');
        memory.add(PRELOAD.len() + 1).copy_from_nonoverlapping(value.cast(), length);
        memory.cast()
    }
}

/// Whether a text is `NAME=…`.
///
/// # Safety
/// It must end with a zero byte.
pub(crate) unsafe fn is_called(entry: *const c_char, name: &str) -> bool {
    // SAFETY: by contract.
    let entry = unsafe { CStr::from_ptr(entry) }.to_bytes();
    entry.strip_prefix(name.as_bytes()).is_some_and(|rest| rest.first() == Some(&b'='))
}

fn value<'a>(entry: *const c_char) -> &'a [u8] {
    // SAFETY: texts of the environment end with a zero byte, and ours stay.
    let entry = unsafe { CStr::from_ptr(entry) }.to_bytes();
    let start = entry.iter().position(|byte| *byte == b'=').map_or(entry.len(), |at| at + 1);
    &entry[start..]
}

/// What a program that is started needs to load us and log too.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Inheritance {
    pub(crate) log_entry: *const c_char,
    /// Path of this library.
    pub(crate) library: &'static [u8],
}

pub(crate) fn inheritance() -> Option<Inheritance> {
    let log_entry = LOG_ENTRY.load(Ordering::Relaxed);
    let preload = PRELOAD_ENTRY.load(Ordering::Relaxed);
    if log_entry.is_null() || preload.is_null() {
        return None;
    }
    let library = value(preload).split(|byte| *byte == b':').next()?;
    Some(Inheritance { log_entry, library })
}

/// The environment that the process sees.
pub(crate) fn environment() -> *const *const c_char {
    // SAFETY: reading the variable is what every call of the C library does.
    unsafe { environ.cast_const().cast() }
}

/// For the time of a call, programs that the C library itself starts get this
/// environment.
///
/// # Safety
/// The list must stay until the environment is set back.
pub(crate) unsafe fn set_environment(list: *const *const c_char) {
    // SAFETY: by contract.
    unsafe { environ = list.cast_mut().cast() };
}

/// The agent tells of an epoch; what happens from now on belongs to it.
#[cfg_attr(not(test), unsafe(no_mangle))]
#[allow(unreachable_pub, reason = "the agent looks it up by name")]
pub extern "C" fn residue_interpose_epoch(number: u32, kind: c_int, position: u32) {
    crate::errno::quietly((), || {
        log::set_epoch(number);
        if number == AFTER_THE_LAST_EPOCH {
            return;
        }
        let file = (u64::from(number), u64::from(position));
        notes::record(EventKind::Epoch, kind as u16, file, b"", b"", Again::Matters);
    });
}
