//! Several explanations at once.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

/// Runs all of them until the last is done; results in the order given.
pub(crate) fn join_all<F: Future>(futures: impl IntoIterator<Item = F>) -> JoinAll<F> {
    let running = |future| Running::Under(Box::pin(future));
    JoinAll { running: futures.into_iter().map(running).collect() }
}

pub(crate) struct JoinAll<F: Future> {
    running: Vec<Running<F>>,
}

enum Running<F: Future> {
    Under(Pin<Box<F>>),
    Done(Option<F::Output>),
}

// Nothing is pinned inside: the boxes are what stays in place.
impl<F: Future> Unpin for JoinAll<F> {}

impl<F: Future> Future for JoinAll<F> {
    type Output = Vec<F::Output>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Vec<F::Output>> {
        let mut all_done = true;
        for running in &mut self.running {
            if let Running::Under(future) = running {
                match future.as_mut().poll(context) {
                    Poll::Ready(value) => *running = Running::Done(Some(value)),
                    Poll::Pending => all_done = false,
                }
            }
        }
        if !all_done {
            return Poll::Pending;
        }
        let values = self.running.iter_mut().filter_map(|running| match running {
            Running::Done(value) => value.take(),
            Running::Under(_) => None,
        });
        Poll::Ready(values.collect())
    }
}
