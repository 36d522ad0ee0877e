//! What the simulation needs of stack map frames: how deep the stack is, and
//! where the object under construction may be found uninitialised.

use crate::decline::MethodDecline;
use crate::descriptor::{Kind, parameter_kinds};
use crate::frames::{Change, Frames, Types, verification};
use crate::shape::Shape;

/// Where a value lies, counted in slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Local(usize),
    Stack(usize),
}

/// The state of the machine at a frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FrameState {
    pub(crate) at: usize,
    pub(crate) stack_slots: usize,
    /// Where `uninitializedThis` is.
    pub(crate) uninitialized_this: Vec<Place>,
}

/// Reads the frames of a method; `constructor` is its descriptor if it is one.
pub(crate) fn read(
    content: &[u8],
    shape: &Shape,
    constructor: Option<&[u8]>,
) -> Result<Vec<FrameState>, MethodDecline> {
    let mut frames = Frames::new(content)?;
    let mut locals = constructor.map(initial_locals);
    let mut states = Vec::new();
    while let Some(frame) = frames.next()? {
        if !shape.is_start(frame.at) {
            return Err(MethodDecline::BadOffset { offset: frame.at });
        }
        let stack = frame.change.stack();
        let stack_slots = stack.iter().map(|one| one.slots()).sum();
        let mut uninitialized_this = Vec::new();
        if let Some(locals) = &mut locals {
            apply(frame.change, locals);
            uninitialized_this.extend(places(locals).map(Place::Local));
            uninitialized_this.extend(places(&tags(stack)).map(Place::Stack));
        }
        states.push(FrameState { at: frame.at, stack_slots, uninitialized_this });
    }
    Ok(states)
}

fn initial_locals(descriptor: &[u8]) -> Vec<u8> {
    let parameters = parameter_kinds(descriptor).unwrap_or_default();
    let tag = |kind: Kind| match kind {
        Kind::Int | Kind::Float => 1,
        Kind::Long => verification::LONG,
        Kind::Double => verification::DOUBLE,
        Kind::Reference => verification::OBJECT,
    };
    let this = std::iter::once(verification::UNINITIALIZED_THIS);
    this.chain(parameters.into_iter().map(tag)).collect()
}

fn apply(change: Change<'_>, locals: &mut Vec<u8>) {
    match change {
        Change::Same | Change::SameLocalsOneStackItem(_) => {}
        Change::Chop(count) => locals.truncate(locals.len().saturating_sub(usize::from(count))),
        Change::Append(types) => locals.extend(tags(types)),
        Change::Full { locals: types, .. } => *locals = tags(types),
    }
}

fn tags(types: Types<'_>) -> Vec<u8> {
    types.iter().map(|one| one.tag).collect()
}

/// The slots that hold `uninitializedThis`.
fn places(tags: &[u8]) -> impl Iterator<Item = usize> {
    let mut slot = 0;
    tags.iter().filter_map(move |&tag| {
        let here = slot;
        slot += if matches!(tag, verification::LONG | verification::DOUBLE) { 2 } else { 1 };
        (tag == verification::UNINITIALIZED_THIS).then_some(here)
    })
}
