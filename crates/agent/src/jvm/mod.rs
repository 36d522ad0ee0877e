//! The JVM as the agent sees it: thin layers over JVMTI and JNI that turn error
//! codes into values and leave no exception pending.

mod jni;
mod jvmti;
mod jvmti_table;

pub(crate) use jni::{Jni, NativeMethod};
pub(crate) use jvmti::{Event, FieldHandle, Frame, Jvmti, MethodName, RawMonitor};
pub(crate) use jvmti_table::{Callbacks, JvmtiEnv};
