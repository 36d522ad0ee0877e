//! The JVMTI agent that traces shared state.
//!
//! Loaded by `-agentpath`, it rewrites every class so that accesses to fields
//! and array elements go past the hook (`java.lang.ResidueHook`), which it
//! defines into `java.base`. The hook decides, mostly without leaving Java,
//! whether an access is worth noting; what is goes through [`natives`] into a
//! [`recording`], and from there at the end of each epoch into the trace file.
//!
//! Invariants:
//! - No outcome of a test changes: nothing is printed, no exception and no panic
//!   gets out, no code of the suite or the JDK runs on the agent's behalf.
//! - What goes wrong becomes a gap in the trace. After a failure of the agent
//!   itself tracking is off, and the trace says so.
//! - Objects of the suite are referred to weakly, and classes too.

#![allow(unsafe_code)] // JVMTI and JNI are C interfaces
#![recursion_limit = "256"] // for the table of JVMTI's functions

mod agent;
mod ahead;
mod callbacks;
mod classes;
mod collecting;
mod collections;
mod constants;
mod contents;
mod critical;
mod declarations;
mod early_classes;
mod field_offsets;
mod field_references;
mod gaps;
mod holdings;
mod hook;
mod initialising;
mod jni_table;
mod jvm;
mod knowledge;
mod layout_tables;
mod loading;
mod memory;
mod names;
mod natives;
mod never;
mod noting;
mod options;
mod outside;
mod polluting;
mod pollution_natives;
mod prepared;
mod property_methods;
mod recording;
mod registry;
mod resolving;
mod rewriting;
mod runtime_image;
mod shadow;
mod stacks;
mod thread_stacks;
mod values;
mod watching;

use std::ffi::{CStr, c_char, c_void};
use std::fs::File;
use std::io::Write;
use std::panic::catch_unwind;
use std::path::Path;

use jni_sys::{JNI_OK, JavaVM, jint};
use residue_model::trace::GapKind;
use residue_wire::trace::TraceWriter;

use crate::agent::{Agent, CannotStart};
use crate::jvm::{Jvmti, Vm};

/// Entry point of the agent. The JVM runs on whatever happens here: without a
/// trace, if need be, and then the file says why.
///
/// # Safety
/// To be called by a JVM only.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Agent_OnLoad(
    vm: *mut JavaVM,
    options: *const c_char,
    _reserved: *mut c_void,
) -> jint {
    // A panic is told in the trace, not on the streams of the tests.
    std::panic::set_hook(Box::new(|_| {}));
    let line = if options.is_null() {
        String::new()
    } else {
        // SAFETY: the JVM gives a string that ends with a zero byte.
        unsafe { CStr::from_ptr(options) }.to_string_lossy().into_owned()
    };
    // SAFETY: by contract `vm` is what the JVM gives to an agent.
    let (jvmti, vm) = unsafe { (Jvmti::new(vm), Vm::new(vm)) };
    let _ = catch_unwind(|| {
        load(jvmti, &line);
        outside::start(vm);
    });
    JNI_OK
}

fn load(jvmti: Option<Jvmti>, line: &str) {
    let parsed = options::parse(line);
    let Some(out) = parsed.out else { return };
    let started = start(jvmti, parsed.options, &out);
    if let Err(why) = started {
        complain(&out, &why.to_string());
    }
}

fn start(
    jvmti: Option<Jvmti>,
    options: Result<options::Options, options::BadOptions>,
    out: &Path,
) -> Result<(), CannotStart> {
    let options = options?;
    let jvmti = jvmti.ok_or(CannotStart::Jvm)?;
    let Ok(file) = File::create(out) else { return Ok(()) };
    Agent::start(jvmti, &options, file)?;
    let agent = Agent::get().filter(|agent| callbacks::enable(agent)).ok_or(CannotStart::Jvm)?;
    if options.ahead {
        ahead::start(agent);
    }
    Ok(())
}

/// Leaves a trace that says nothing but why.
fn complain(out: &Path, why: &str) {
    let mut writer = TraceWriter::new();
    writer.gap(GapKind::TrackingStopped, why, 1);
    writer.finish();
    if let Ok(mut file) = File::create(out) {
        // There is nowhere else to complain to.
        let _ = file.write_all(&writer.take_bytes());
    }
}
