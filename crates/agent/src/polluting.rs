//! What an epoch left changed, while the hook tells it (`ResiduePollution`).

use std::collections::HashMap;

use jni_sys::jclass;
use residue_model::trace::{Change, GapKind, Label, PathRoot, Place, PlaceStep, TreeNode, Value};
use residue_wire::trace::NewPollution;

use crate::agent::Agent;
use crate::classes::Weak;
use crate::collections::Parts as CollectionParts;
use crate::contents::ContentNames;
use crate::jvm::Jni;
use crate::shadow::{Form, Owner};
use crate::values::Parts;

/// Changes that are told of one place.
const MOST_CHANGES: usize = 20;
/// Changes of one place that are shown as trees.
const MOST_TREES: usize = 3;

/// Labels of `ResidueTrees`; kinds of values stand for keys.
const WHOLE: i32 = -1;
const INDEX: i32 = -2;
const FIELD: i32 = -3;
const ORDER: i32 = -4;

const PUBLIC_ROOT: i32 = 1;
const LOADED_HERE: i32 = 2;

#[derive(Debug, Default)]
pub(crate) struct Polluting {
    pub(crate) names: ContentNames,
    /// Classes with statics that were prepared or initialised since the capture
    /// began.
    loaded: Vec<Weak>,
    /// Statics that were written before their class was there.
    pub(crate) early: Vec<u32>,
    /// Which collection an object is a part of, as far as that was asked.
    pub(crate) units: HashMap<u32, u32>,
    /// Threads, and objects that frameworks keep, by their ids.
    pub(crate) roots: HashMap<u32, Weak>,
    /// The same, to be gone through one by one.
    pub(crate) listed_roots: Vec<Weak>,
    /// Epochs that have begun, and how many had when the capture did.
    epochs: u32,
    capture_since: u32,
    current: Option<NewPollution>,
    /// What the steps so far belong to, for [`NewPollution::place`].
    steps: Vec<(u32, Option<Value>)>,
}

impl Polluting {
    pub(crate) fn class_loaded(&mut self, class: Weak) {
        self.loaded.push(class);
    }

    pub(crate) fn epoch_begins(&mut self) {
        self.epochs += 1;
    }

    pub(crate) fn capture_begins(&mut self, jni: Jni) {
        for Weak(weak) in self.loaded.drain(..) {
            jni.delete_weak(weak);
        }
        self.units.clear();
        self.early.clear();
        self.capture_since = self.epochs;
    }

    pub(crate) fn is_loaded_in_capture(&self, jni: Jni, class: jclass) -> bool {
        self.loaded.iter().any(|&Weak(weak)| jni.is_same(weak, class))
    }

    /// Those that are still there; returns how many.
    pub(crate) fn list_roots(&mut self, jni: Jni) -> usize {
        self.roots.retain(|_, &mut Weak(weak)| match jni.local(weak) {
            Some(alive) => {
                jni.delete_local(alive);
                true
            }
            None => {
                jni.delete_weak(weak);
                false
            }
        });
        self.listed_roots = self.roots.values().copied().collect();
        self.listed_roots.len()
    }

    pub(crate) fn begin(&mut self, flags: i32) {
        self.steps.clear();
        self.current = Some(NewPollution {
            earlier_epochs: self.epochs - self.capture_since,
            public_root: flags & PUBLIC_ROOT != 0,
            loaded_here: flags & LOADED_HERE != 0,
            place: Place { root: PathRoot::Unknown, steps: Vec::new() },
            cells: Vec::new(),
            changes: Vec::new(),
            unlisted_changes: 0,
        });
    }

    pub(crate) fn step(&mut self, cell: u32, key: Option<Value>) {
        self.steps.push((cell, key));
    }

    pub(crate) fn cell(&mut self, cell: u32) {
        if let Some(current) = &mut self.current {
            current.cells.push(cell);
        }
    }

    /// Whether the change is to be shown as trees.
    pub(crate) fn change(&mut self, label: Label, old: Option<Value>, new: Option<Value>) -> bool {
        let Some(current) = &mut self.current else { return false };
        if current.changes.len() == MOST_CHANGES {
            current.unlisted_changes += 1;
            return false;
        }
        current.changes.push(Change { label, old, new, before: Vec::new(), after: Vec::new() });
        current.changes.len() <= MOST_TREES
    }

    pub(crate) fn tree_node(&mut self, is_before: bool, node: TreeNode) {
        let change = self.current.as_mut().and_then(|current| current.changes.last_mut());
        if let Some(change) = change {
            if is_before { &mut change.before } else { &mut change.after }.push(node);
        }
    }

    /// The label that the hook means.
    pub(crate) fn label(&self, label: i32, bits: i64, key: Option<Value>) -> Label {
        match label {
            WHOLE => Label::Whole,
            INDEX => Label::Index(bits as u32),
            ORDER => Label::Order,
            FIELD => {
                let name = self.names.name((bits >> 32) as u32, bits as u32 as usize);
                Label::Field(name.unwrap_or("?").into())
            }
            _ => Label::Key(key.unwrap_or(Value::Null)),
        }
    }
}

/// Whether a label of the hook is the key of a map, and not one of the others.
pub(crate) fn is_key(label: i32) -> bool {
    label >= 0
}

/// The pollution is told: it waits for its epoch to be written.
pub(crate) fn end(agent: &Agent) {
    let (current, steps) = {
        let mut polluting = agent.polluting();
        (polluting.current.take(), std::mem::take(&mut polluting.steps))
    };
    let Some(mut pollution) = current else { return };
    pollution.place = place(agent, &steps);
    agent.recording().pollutions.push(pollution);
}

/// From cells to what a reader of the code sees.
fn place(agent: &Agent, steps: &[(u32, Option<Value>)]) -> Place {
    let knowledge = agent.knowledge();
    let names = &knowledge.registry.names;
    let parts = CollectionParts { shadow: &agent.shadow, classes: &knowledge.classes, names };
    let owners: Vec<Option<Owner>> =
        steps.iter().map(|(cell, _)| agent.shadow.owner(*cell)).collect();
    let mut place = Place { root: PathRoot::Unknown, steps: Vec::new() };
    for (at, (cell, key)) in steps.iter().enumerate() {
        let Some(owner) = owners[at] else { continue };
        let Some(class) = knowledge.classes.known(owner.class) else { continue };
        let slot = cell - owner.first_slot;
        match owner.form {
            Form::Statics => {
                if let Some(field) = class.statics.get(slot as usize) {
                    let (class, field) = (class.shown.as_str().into(), names.text(field.field));
                    place.root = PathRoot::Static { class, field: field.into() };
                }
            }
            Form::Array { shift, .. } => {
                let next = owners.get(at + 1).copied().flatten();
                if !next.is_some_and(|next| parts.is_part(next)) {
                    place.steps.push(PlaceStep::Index(slot << shift));
                }
            }
            Form::Object { .. } => {
                if at == 0 {
                    let thread = agent.recording().threads.get(&owner.id).cloned();
                    place.root =
                        thread.map_or(PathRoot::Unknown, |name| PathRoot::Thread(name.into()));
                }
                let is_inner = parts.is_inner_slot(owner, slot);
                if parts.is_part(owner) {
                    if !is_inner {
                        place.steps.push(PlaceStep::Key(key.clone().unwrap_or(Value::Null)));
                    }
                } else if !is_inner
                    && let Some(field) = class.slots.get(slot as usize).copied().flatten()
                {
                    let class = names.binary(field.class);
                    let field = names.text(field.field);
                    place.steps.push(PlaceStep::Field { class: class.into(), field: field.into() });
                }
            }
        }
    }
    place
}

/// A value that the hook has taken apart.
pub(crate) fn value(agent: &Agent, jni: Jni, parts: Parts) -> Option<Value> {
    parts.value(jni, agent.jvmti, &agent.knowledge().classes)
}

pub(crate) fn not_compared(agent: &Agent, what: &str) {
    agent.gap(GapKind::NotCompared, what);
}
