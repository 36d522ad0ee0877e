//! Looking functions up by name. Java code that calls native functions without
//! a library of its own (`java.lang.foreign`, JNA) asks the C library itself for
//! them, past whatever was loaded first; it gets ours all the same.

use std::arch::naked_asm;
use std::ffi::{CStr, c_char, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::log;
use crate::stacks::library;

type Lookup = unsafe extern "C" fn(*mut c_void, *const c_char) -> *mut c_void;

/// Versions under which C libraries have the call, by age and machine.
const VERSIONS: [&CStr; 3] = [c"GLIBC_2.34", c"GLIBC_2.2.5", c"GLIBC_2.17"];

/// Null until somebody needs it.
static REAL: AtomicPtr<c_void> = AtomicPtr::new(null_mut());

/// What `RTLD_DEFAULT` (0) and `RTLD_NEXT` (-1) mean depends on who asks, so for
/// these the real call must see the caller and not us.
#[cfg(target_arch = "x86_64")]
#[cfg_attr(not(test), unsafe(no_mangle))]
#[unsafe(naked)]
#[allow(missing_docs, unreachable_pub, reason = "as the C library documents it")]
pub unsafe extern "C" fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void {
    naked_asm!(
        "lea rax, [rdi + 1]",
        "cmp rax, 1",
        "ja 2f",
        "mov rax, [rip + {real}]",
        "test rax, rax",
        "jz 2f",
        "jmp rax",
        "2:",
        "jmp {in_library}",
        real = sym REAL,
        in_library = sym in_library,
    )
}

/// As above.
#[cfg(target_arch = "aarch64")]
#[cfg_attr(not(test), unsafe(no_mangle))]
#[unsafe(naked)]
#[allow(missing_docs, unreachable_pub, reason = "as the C library documents it")]
pub unsafe extern "C" fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void {
    naked_asm!(
        "add x9, x0, #1",
        "cmp x9, #1",
        "b.hi 2f",
        "adrp x9, {real}",
        "ldr x9, [x9, :lo12:{real}]",
        "cbz x9, 2f",
        "br x9",
        "2:",
        "b {in_library}",
        real = sym REAL,
        in_library = sym in_library,
    )
}

/// The real call; nothing if this is no C library that we know.
pub(crate) fn real() -> Option<Lookup> {
    let mut found = REAL.load(Ordering::Relaxed);
    for version in VERSIONS {
        if found.is_null() {
            // SAFETY: the names end with zero bytes.
            found = unsafe { libc::dlvsym(libc::RTLD_NEXT, c"dlsym".as_ptr(), version.as_ptr()) };
            REAL.store(found, Ordering::Relaxed);
        }
    }
    // SAFETY: the C library's call of this name has this type.
    (!found.is_null()).then(|| unsafe { std::mem::transmute::<*mut c_void, Lookup>(found) })
}

unsafe extern "C" fn in_library(handle: *mut c_void, name: *const c_char) -> *mut c_void {
    let Some(real) = real() else { return null_mut() };
    // SAFETY: the caller's arguments, as the caller gave them.
    let found = unsafe { real(handle, name) };
    if found.is_null() || !log::is_on() {
        return found;
    }
    // SAFETY: the name is one that the real call has just taken.
    let (first, next) = unsafe { (real(libc::RTLD_DEFAULT, name), real(libc::RTLD_NEXT, name)) };
    // The caller has found something, so there is no error to ask for.
    // SAFETY: it only forgets the error of the lines before.
    unsafe { libc::dlerror() };
    let is_ours = !first.is_null() && library(first) == library(in_library as *const c_void);
    if is_ours && next == found { first } else { found }
}
