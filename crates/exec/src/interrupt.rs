//! A request to stop that wakes every loop.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{EventfdFlags, eventfd};

/// Raised once, seen by everyone who holds a clone, never taken back.
#[derive(Debug, Clone)]
pub struct Interrupt(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    raised: AtomicBool,
    /// Readable from the moment of raising on, because nobody reads it.
    wake: OwnedFd,
}

impl Interrupt {
    /// A handle that is not raised.
    pub fn new() -> io::Result<Self> {
        let wake = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        Ok(Self(Arc::new(Inner { raised: AtomicBool::new(false), wake })))
    }

    /// Asks everybody to stop. Allocates and locks nothing, so a signal
    /// handler may call it.
    pub fn raise(&self) {
        self.0.raised.store(true, Ordering::SeqCst);
        // Fails only if the counter is full, and then it is readable anyway.
        let _ = rustix::io::write(&self.0.wake, &1_u64.to_ne_bytes());
    }

    /// Whether anybody asked.
    pub fn is_raised(&self) -> bool {
        self.0.raised.load(Ordering::SeqCst)
    }
}

impl AsFd for Interrupt {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.wake.as_fd()
    }
}
