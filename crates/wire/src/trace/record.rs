//! The kinds of records and the codes of enumerations.

use residue_model::trace::{EpochKind, GapKind};

/// Raised with every change of the format.
pub const TRACE_VERSION: u16 = 5;

/// First bytes of a trace file: a magic and the version.
pub const PREAMBLE: [u8; 6] = {
    let [high, low] = TRACE_VERSION.to_be_bytes();
    [b'R', b'S', b'D', b'T', high, low]
};

/// What a record tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RecordKind {
    /// A text that others name by number.
    Name = 1,
    /// Class, method, file, line.
    Frame = 2,
    /// Frames, innermost first.
    Stack = 3,
    /// A cell is a static field.
    StaticField = 4,
    /// The slots of a class.
    Class = 5,
    /// Cells are the slots of an object.
    Object = 6,
    /// Cells are the elements of an array.
    Array = 7,
    /// An epoch; accesses that follow are its own.
    Epoch = 8,
    /// Runs of cells that were read.
    Reads = 9,
    /// Runs of cells that were written.
    Writes = 10,
    /// Something was not observed.
    Gap = 11,
    /// A field was left out.
    Ignored = 12,
    /// The run is over.
    End = 13,
    /// A piece of state outside the heap.
    OutsideLocation = 14,
    /// What an epoch did outside the heap.
    OutsideEpoch = 15,
    /// Something outside the heap was not observed.
    OutsideGap = 16,
    /// The epoch left state changed.
    Pollution = 17,
    /// What cells hold at the end of the epoch.
    Contents = 18,
    /// A class of the project.
    Code = 19,
    /// Blocks of the project's code that ran.
    Reached = 20,
    /// An array stands for a system property.
    Property = 21,
}

impl RecordKind {
    const ALL: [Self; 21] = [
        Self::Name,
        Self::Frame,
        Self::Stack,
        Self::StaticField,
        Self::Class,
        Self::Object,
        Self::Array,
        Self::Epoch,
        Self::Reads,
        Self::Writes,
        Self::Gap,
        Self::Ignored,
        Self::End,
        Self::OutsideLocation,
        Self::OutsideEpoch,
        Self::OutsideGap,
        Self::Pollution,
        Self::Contents,
        Self::Code,
        Self::Reached,
        Self::Property,
    ];

    pub(super) fn of_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| *kind as u8 == code)
    }
}

const EPOCH_KINDS: [EpochKind; 3] =
    [EpochKind::BeforeClass, EpochKind::Test, EpochKind::AfterClass];

pub(super) fn epoch_code(kind: EpochKind) -> u32 {
    code_in(&EPOCH_KINDS, kind)
}

pub(super) fn epoch_of_code(code: u32) -> Option<EpochKind> {
    EPOCH_KINDS.get(code as usize).copied()
}

pub(super) fn gap_code(kind: GapKind) -> u32 {
    code_in(&GapKind::ALL, kind)
}

pub(super) fn gap_of_code(code: u32) -> Option<GapKind> {
    GapKind::ALL.get(code as usize).copied()
}

fn code_in<T: PartialEq>(all: &[T], one: T) -> u32 {
    all.iter().position(|other| *other == one).unwrap_or_default() as u32
}

/// First numbers in the payload of a value.
pub(super) mod value {
    pub(in super::super) const ABSENT: u8 = 0;
    pub(in super::super) const NULL: u8 = 1;
    pub(in super::super) const FALSE: u8 = 2;
    pub(in super::super) const TRUE: u8 = 3;
    pub(in super::super) const CHARACTER: u8 = 4;
    pub(in super::super) const INTEGER: u8 = 5;
    pub(in super::super) const DECIMAL: u8 = 6;
    pub(in super::super) const TEXT: u8 = 7;
    pub(in super::super) const CUT_TEXT: u8 = 8;
    pub(in super::super) const CONSTANT: u8 = 9;
    pub(in super::super) const OBJECT: u8 = 10;
}

/// First numbers in the payload of a content.
pub(super) mod holds {
    pub(in super::super) const UNKNOWN: u8 = 0;
    pub(in super::super) const VALUE: u8 = 1;
    pub(in super::super) const OBJECT: u8 = 2;
    /// Added if the content can never change.
    pub(in super::super) const FIXED: u8 = 0x80;
}

/// First numbers in the payload of what led to an object.
pub(super) mod found {
    pub(in super::super) const UNKNOWN: u8 = 0;
    pub(in super::super) const IN_CELL: u8 = 1;
    pub(in super::super) const IN_THREAD: u8 = 2;
}

/// First numbers in the payload of a part of an object.
pub(super) mod label {
    pub(in super::super) const WHOLE: u8 = 0;
    pub(in super::super) const FIELD: u8 = 1;
    pub(in super::super) const INDEX: u8 = 2;
    pub(in super::super) const KEY: u8 = 3;
    pub(in super::super) const ORDER: u8 = 4;
}

/// First numbers in the payload of where a place begins.
pub(super) mod root {
    pub(in super::super) const UNKNOWN: u8 = 0;
    pub(in super::super) const STATIC: u8 = 1;
    pub(in super::super) const THREAD: u8 = 2;
}
