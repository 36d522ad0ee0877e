//! Long thinking in pieces.
//!
//! Between two questions an algorithm may have much to work out, in which
//! nobody could stop it. So it pauses now and then, and goes on when it is asked
//! what is wanted.

use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

/// Whether something waits only to be asked again.
#[derive(Debug, Default)]
pub(crate) struct Pauses(Cell<bool>);

impl Pauses {
    /// Lets whoever drives the detection have a look around.
    pub(crate) fn pause(&self) -> Pause<'_> {
        Pause { pauses: self, over: false }
    }

    /// Whether there was a pause since this was last asked.
    pub(crate) fn take(&self) -> bool {
        self.0.take()
    }

    pub(crate) fn is_pausing(&self) -> bool {
        self.0.get()
    }
}

pub(crate) struct Pause<'a> {
    pauses: &'a Pauses,
    over: bool,
}

impl Future for Pause<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.over {
            return Poll::Ready(());
        }
        self.over = true;
        self.pauses.0.set(true);
        Poll::Pending
    }
}
