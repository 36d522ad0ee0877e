//! Brings the hook into the JVM before any Java code runs.

use std::ffi::CString;

use jni_sys::{jclass, jint};
use residue_model::trace::GapKind;

use crate::agent::Agent;
use crate::classes::ArrayLayout;
use crate::field_offsets;
use crate::jvm::{Event, Jni};
use crate::{jni_table, natives, pollution_natives};

const NATIVES_CLASS: &str = "java/lang/ResidueNative";
/// To look for a class that is not there would make an exception, too early.
const UNSAFE_CONSTANTS_SINCE: u32 = 13;

/// See `ResidueHook.link`.
pub(crate) const LINKING_CLASS: &[u8] = b"java/util/zip/Adler32";

/// Defines the hook classes, links their native methods and initialises them.
pub(crate) fn install(agent: &Agent, jni: Jni) -> Result<(), String> {
    let mut hook_class = None;
    for (name, bytes) in &agent.hook.classes {
        let c_name = CString::new(name.as_str()).map_err(|_| "a class name has a zero byte")?;
        let class =
            jni.define_class(&c_name, bytes).ok_or_else(|| format!("{name} cannot be defined"))?;
        if name == NATIVES_CLASS {
            agent.set_natives_class(class);
        }
        hook_class = Some(class);
    }
    let hook_class = hook_class.ok_or("the hook class is missing")?;
    let unlinked = || "the native methods of the hook cannot be linked".to_owned();
    let is_old = agent.jvmti.jdk_version() < 17;
    if !is_old {
        // Meanwhile the JVM calls `link`.
        jni.call_static(hook_class, c"link", c"()V").ok_or_else(unlinked)?;
    }
    if !agent.is_linked() && !link(agent, jni) {
        return Err(unlinked());
    }
    if agent.jvmti.jdk_version() >= UNSAFE_CONSTANTS_SINCE {
        fill_unsafe_constants(jni);
    }
    if is_old {
        // Unsafe asks its class for assertions, which is not ready for that by itself.
        jni.find_class(c"java/lang/Class").ok_or("there is no java.lang.Class")?;
    }
    jni.call_static(hook_class, c"initialize", c"()V")
        .ok_or_else(|| "the hook cannot be initialised".to_owned())
}

/// Links the native methods of the hook.
///
/// JDK 17 takes who links natives of its own classes for an intruder, and prints
/// warnings, unless a class of the JDK has called. So the hook loads a class that
/// nobody needs, and in the event for that this is called.
pub(crate) fn link(agent: &Agent, jni: Jni) -> bool {
    // To look the class up would initialise it.
    let Some(class) = agent.natives_class() else { return false };
    let linked = jni.register(class, &natives::methods())
        && jni.register(class, &natives::lock_methods())
        && jni.register(class, &pollution_natives::methods());
    if linked {
        agent.set_linked();
    }
    linked
}

/// Unsafe copies these constants when it is initialised. The JVM fills them in
/// later than the hook needs Unsafe.
fn fill_unsafe_constants(jni: Jni) {
    let Some(class) = jni.find_class(c"jdk/internal/misc/UnsafeConstants") else { return };
    // SAFETY: asking for the page size has no conditions.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    jni.set_static_int(class, c"ADDRESS_SIZE0", size_of::<usize>() as jint);
    jni.set_static_int(class, c"PAGE_SIZE", page as jint);
    jni.set_static_boolean(class, c"BIG_ENDIAN", cfg!(target_endian = "big"));
    let unaligned = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));
    jni.set_static_boolean(class, c"UNALIGNED_ACCESS", unaligned);
}

/// Lets the hook return at once from now on.
pub(crate) fn switch_off(jni: Jni) {
    if let Some(class) = jni.find_class(c"java/lang/ResidueCells") {
        jni.set_static_int(class, c"now", jint::MIN);
        jni.delete_local(class);
    }
}

/// What can be found out only when the JVM is up: at the first boundary.
pub(crate) fn look_around(agent: &Agent, jni: Jni) -> Result<(), String> {
    let unsafe_class =
        jni.find_class(c"jdk/internal/misc/Unsafe").ok_or("there is no internal Unsafe")?;
    agent.ahead.end();
    let mut knowledge = agent.knowledge();
    for (element, word) in [
        (b'Z', "BOOLEAN"),
        (b'B', "BYTE"),
        (b'S', "SHORT"),
        (b'C', "CHAR"),
        (b'I', "INT"),
        (b'J', "LONG"),
        (b'F', "FLOAT"),
        (b'D', "DOUBLE"),
        (b'L', "OBJECT"),
    ] {
        let layout = array_layout(jni, unsafe_class, word)
            .ok_or_else(|| format!("the layout of {word} arrays is unknown"))?;
        knowledge.classes.set_array_layout(element, layout);
    }
    jni.delete_local(unsafe_class);
    knowledge.registry.expect_nothing();
    drop(knowledge);
    if jni_table::intercept(agent, jni).is_none() {
        agent.gap(GapKind::NativeAccess, "writes of native code are not seen");
    }
    if !agent.jvmti.enable(Event::ClassPrepare) {
        return Err("the JVM does not tell of prepared classes".into());
    }
    Ok(())
}

fn array_layout(jni: Jni, unsafe_class: jclass, word: &str) -> Option<ArrayLayout> {
    let base = CString::new(format!("ARRAY_{word}_BASE_OFFSET")).ok()?;
    let scale = CString::new(format!("ARRAY_{word}_INDEX_SCALE")).ok()?;
    // Since JDK 25 offsets are long.
    let base = match jni.static_int(unsafe_class, &base) {
        Some(base) => i64::from(base),
        None => jni.static_long(unsafe_class, &base)?,
    };
    let scale = u32::try_from(jni.static_int(unsafe_class, &scale)?).ok()?;
    Some(ArrayLayout {
        base: u32::try_from(base).ok()?,
        shift: scale.is_power_of_two().then(|| scale.trailing_zeros() as u8)?,
    })
}

/// The offset of a field of a class that is prepared; 0 if unknown.
pub(crate) fn offset_of(agent: &Agent, class: jclass, field: &[u8]) -> i64 {
    let fields = agent.jvmti.class_fields(class).unwrap_or_default();
    let found = fields.iter().find(|one| one.name == field);
    let offset = found.and_then(|one| field_offsets::offset(one.id, one.access & 0x0008 != 0));
    offset.map_or(0, i64::from)
}
