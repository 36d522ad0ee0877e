//! What tests find in thread-locals. Traces know these as slots of the thread's
//! table; a way that others can go begins at the class that has the thread-local.

use std::collections::HashMap;

use residue_graph::Flow;
use residue_model::trace::{AccessPath, Name, PathRoot, Step, Trace};
use residue_model::{Frame, StatePath};

/// The class by which each slot of the main thread's table is asked for: mostly the
/// one with the thread-local.
#[derive(Debug)]
pub(crate) struct ThreadLocals {
    owners: HashMap<u32, Name>,
}

impl ThreadLocals {
    /// Goes by the stacks of reads.
    pub(crate) fn read(flows: &[(AccessPath, Flow<'_>)], trace: &Trace) -> Self {
        let is_of_thread_locals = |frame: &&Frame| frame.class.starts_with("java.lang.ThreadLocal");
        let mut owners = HashMap::new();
        for (path, flow) in flows {
            let Some((slot, _)) = slot_of_thread(path) else { continue };
            let mut frames = flow.later.stack.into_iter().flat_map(|stack| trace.frames_of(stack));
            if frames.next().as_ref().is_some_and(is_of_thread_locals)
                && let Some(owner) = frames.find(|frame| !is_of_thread_locals(frame))
            {
                owners.entry(slot).or_insert_with(|| owner.class.as_str().into());
            }
        }
        Self { owners }
    }

    /// The way by the class, if the path leads into a slot of which that is known.
    pub(crate) fn way_to(&self, path: &AccessPath) -> Option<AccessPath> {
        let (slot, steps) = slot_of_thread(path)?;
        let inside = match steps {
            [] => steps,
            [Step::Field { class, field }, inside @ ..]
                if class.ends_with("ThreadLocalMap$Entry") && &**field == "value" =>
            {
                inside
            }
            // The thread-local itself.
            _ => return None,
        };
        Some(StatePath::in_thread_locals(self.owners.get(&slot)?.clone(), inside.to_vec()))
    }
}

/// A slot of the main thread's table, in which tests run, and the steps from there.
fn slot_of_thread(path: &AccessPath) -> Option<(u32, &[Step])> {
    match (&path.root, path.steps.as_slice()) {
        (
            PathRoot::Thread(thread),
            [
                Step::Field { field, .. },
                Step::Field { .. },
                Step::Elements { first, last },
                rest @ ..,
            ],
        ) if &**thread == "main" && &**field == "threadLocals" && first == last => {
            Some((*first, rest))
        }
        _ => None,
    }
}
