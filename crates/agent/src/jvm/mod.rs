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
