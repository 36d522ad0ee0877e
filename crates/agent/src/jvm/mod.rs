//! The JVM as the agent sees it: thin layers over JVMTI and JNI that turn error
//! codes into values and leave no exception pending.

mod jni;
mod jvmti;
mod jvmti_table;
mod vm;

pub(crate) use jni::{Jni, NativeMethod};
pub(crate) use jvmti::{Event, FieldHandle, Frame, Jvmti, MethodName, RawMonitor};
pub(crate) use jvmti_table::{Callbacks, JvmtiEnv};
pub(crate) use vm::Vm;

/// `JAVA_HOME`, or where the `javac` of the search path is from.
#[cfg(test)]
pub(crate) fn jdk_home() -> Option<std::path::PathBuf> {
    let named = std::env::var_os("JAVA_HOME").map(std::path::PathBuf::from);
    named.or_else(|| {
        let folders = std::env::var_os("PATH")?;
        let javac = std::env::split_paths(&folders)
            .find_map(|folder| folder.join("javac").canonicalize().ok())?;
        Some(javac.parent()?.parent()?.to_path_buf())
    })
}
