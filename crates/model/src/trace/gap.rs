//! What a trace does not show: things that could not be observed, and fields
//! that were left out on purpose.

use serde::{Deserialize, Serialize};

use super::Name;

/// Something that could not be observed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Gap {
    /// What kind of thing.
    pub kind: GapKind,
    /// Which one and why, in words; may be empty.
    pub detail: Name,
    /// How often.
    pub count: u64,
}

/// Ways in which observation can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GapKind {
    /// A class could not be rewritten: none of its accesses are seen.
    ClassDeclined,
    /// A method could not be rewritten: none of its accesses are seen.
    MethodDeclined,
    /// A class was defined without the agent being told.
    HiddenClass,
    /// A field was used through a method handle in a way that is not followed.
    MethodHandle,
    /// Native code wrote to the heap.
    NativeAccess,
    /// There was no room to track more objects.
    ShadowFull,
    /// Objects of a class have an unknown layout; they are followed slowly or
    /// as a whole.
    LayoutUnknown,
    /// An object could not be marked as old.
    ObjectNotMarked,
    /// Accesses were seen to something that was never described.
    Undescribed,
    /// Tracking was switched off after a failure of the agent.
    TrackingStopped,
    /// The trace ends before the run did.
    CutShort,
    /// Anything else, told by the detail.
    Other,
    /// A program was started whose use of files and sockets is not seen.
    UnseenProgram,
    /// State could not be compared with what it was before.
    NotCompared,
    /// Code of the project runs without being watched.
    NotCovered,
    /// Files or sockets were used, and what Java code did that is not known.
    UnknownCaller,
}

impl GapKind {
    /// Every kind.
    pub const ALL: [Self; 16] = [
        Self::ClassDeclined,
        Self::MethodDeclined,
        Self::HiddenClass,
        Self::MethodHandle,
        Self::NativeAccess,
        Self::ShadowFull,
        Self::LayoutUnknown,
        Self::ObjectNotMarked,
        Self::Undescribed,
        Self::TrackingStopped,
        Self::CutShort,
        Self::Other,
        Self::UnseenProgram,
        Self::NotCompared,
        Self::NotCovered,
        Self::UnknownCaller,
    ];

    /// The word for it, as serialised.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ClassDeclined => "class-declined",
            Self::MethodDeclined => "method-declined",
            Self::HiddenClass => "hidden-class",
            Self::MethodHandle => "method-handle",
            Self::NativeAccess => "native-access",
            Self::ShadowFull => "shadow-full",
            Self::LayoutUnknown => "layout-unknown",
            Self::ObjectNotMarked => "object-not-marked",
            Self::Undescribed => "undescribed",
            Self::TrackingStopped => "tracking-stopped",
            Self::CutShort => "cut-short",
            Self::Other => "other",
            Self::UnseenProgram => "unseen-program",
            Self::NotCompared => "not-compared",
            Self::NotCovered => "not-covered",
            Self::UnknownCaller => "unknown-caller",
        }
    }

    /// What it means for the reader of a report.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::ClassDeclined => "classes left as they are, so what they do is not seen",
            Self::MethodDeclined => "methods left as they are, so what they do is not seen",
            Self::HiddenClass => "classes defined without the agent being told",
            Self::MethodHandle => "uses of fields through method handles that are not followed",
            Self::NativeAccess => "accesses by native code",
            Self::ShadowFull => "objects that found no room in the shadow memory",
            Self::LayoutUnknown => "classes whose objects have an unknown layout",
            Self::ObjectNotMarked => "objects that could not be marked as old",
            Self::Undescribed => "accesses to something that was never described",
            Self::TrackingStopped => "failures after which tracking was switched off",
            Self::CutShort => "the trace ends before the run did",
            Self::Other => "other things that could not be observed",
            Self::UnseenProgram => "programs whose use of files and sockets is not seen",
            Self::NotCompared => "state that could not be compared with what it was before",
            Self::NotCovered => "methods of the project of which nobody knows when they run",
            Self::UnknownCaller => "uses of files and sockets of which the Java code is not known",
        }
    }
}

/// A field that was left out because a rule says so.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IgnoredField {
    /// Binary name of the class that declares it.
    pub class: Name,
    /// Its name.
    pub field: Name,
    /// Whether it is static.
    pub is_static: bool,
    /// The rule that decided, and where it stands.
    pub rule: Name,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_own_word() {
        let words: std::collections::BTreeSet<_> =
            GapKind::ALL.iter().map(|kind| kind.as_str()).collect();
        assert_eq!(words.len(), GapKind::ALL.len());
    }
}
