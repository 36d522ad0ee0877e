//! What is known of classes and fields.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::classes::Classes;
use crate::registry::Registry;
use crate::rewriting::Rewriting;

#[derive(Debug)]
pub(crate) struct Knowledge {
    pub(crate) registry: Registry,
    pub(crate) classes: Classes,
    pub(crate) rewriting: Rewriting,
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // After a panic the agent only says so and stops.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
