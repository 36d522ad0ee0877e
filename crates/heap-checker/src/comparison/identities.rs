//! Objects have a number in the trace and another one on the heap.

use std::collections::HashMap;

/// Which object of the trace is which object of the heap. Objects that
/// locations are part of and objects that are values have numbers of their own
/// in a trace.
#[derive(Debug, Default)]
pub(super) struct Identities {
    pub(super) holders: Pairs,
    pub(super) values: Pairs,
}

#[derive(Debug, Default)]
pub(super) struct Pairs {
    to_heap: HashMap<u32, u32>,
    to_trace: HashMap<u32, u32>,
}

impl Pairs {
    pub(super) fn allow(&self, of_trace: u32, of_heap: u32) -> bool {
        let known = (self.to_heap.get(&of_trace), self.to_trace.get(&of_heap));
        known.0.is_none_or(|&heap| heap == of_heap) && known.1.is_none_or(|&one| one == of_trace)
    }

    pub(super) fn know(&self, of_trace: u32) -> bool {
        self.to_heap.contains_key(&of_trace)
    }

    pub(super) fn heap_of(&self, of_trace: u32) -> Option<u32> {
        self.to_heap.get(&of_trace).copied()
    }

    pub(super) fn pair(&mut self, of_trace: u32, of_heap: u32) {
        self.to_heap.insert(of_trace, of_heap);
        self.to_trace.insert(of_heap, of_trace);
    }
}
