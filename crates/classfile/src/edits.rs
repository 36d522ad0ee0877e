//! What is to change in the code of a method, in the order of the code.

/// A place where something changes or where an offset must be written anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Edit {
    /// The instruction in the original code.
    pub(crate) at: usize,
    pub(crate) kind: EditKind,
    /// Where the instruction goes, after what is inserted before it.
    pub(crate) place: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EditKind {
    /// Code to insert before the instruction.
    Insert { from: usize, to: usize },
    /// The instruction becomes a call of this static method.
    CallInstead { method: u16 },
    /// A branch with an offset of 16 bit that may have to grow.
    ShortBranch { form: BranchForm },
    /// A branch with an offset of 32 bit.
    LongBranch,
    /// A switch, whose padding depends on its place.
    Switch,
}

impl EditKind {
    fn inserted(self) -> usize {
        match self {
            Self::Insert { from, to } => to - from,
            _ => 0,
        }
    }
}

/// How a branch with a short offset is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BranchForm {
    AsIs,
    /// `goto_w` or `jsr_w`.
    Wide,
    /// The inverted condition around a `goto_w`.
    AroundWide,
}

impl BranchForm {
    /// How many bytes longer than the original it is.
    pub(crate) fn growth(self) -> usize {
        match self {
            Self::AsIs => 0,
            Self::Wide => 2,
            Self::AroundWide => 5,
        }
    }
}

/// All edits of a method.
#[derive(Debug, Default)]
pub(crate) struct Edits {
    pub(crate) list: Vec<Edit>,
    /// The code that is inserted, one piece after the other. First comes what
    /// runs once when the method starts.
    pub(crate) inserted: Vec<u8>,
    pub(crate) entry_length: usize,
}

impl Edits {
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.inserted.clear();
        self.entry_length = 0;
    }

    pub(crate) fn push(&mut self, at: usize, kind: EditKind) {
        self.list.push(Edit { at, kind, place: at });
    }

    /// Everything appended to `inserted` since it had the length `from` goes
    /// before the instruction at `at`.
    pub(crate) fn insert_since(&mut self, from: usize, at: usize) {
        let to = self.inserted.len();
        self.push(at, EditKind::Insert { from, to });
    }

    /// How many bytes go directly before the instruction at `at`.
    pub(crate) fn inserted_before(&self, at: usize) -> usize {
        let first = self.list.partition_point(|edit| edit.at < at);
        let here = self.list[first..].iter().take_while(|edit| edit.at == at);
        here.map(|edit| edit.kind.inserted()).sum()
    }
}
