//! The JVM as the walk needs it: JVMTI and JNI without a function more. Nothing
//! here runs Java code.

#![allow(unsafe_code)] // JVMTI and JNI are C interfaces

mod jni;
mod jvmti;

pub(crate) use jni::{FieldId, Jni, Weak, width};
pub(crate) use jvmti::{DeclaredField, Jvmti, MethodId};
