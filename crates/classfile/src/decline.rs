//! Every way in which a class or a method stays as it is.

use crate::bytes::Truncated;

/// Why a class cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Decline {
    /// It does not begin with `CAFEBABE`.
    #[error("these bytes are no class file: the magic number is missing")]
    NotAClassFile,
    /// It is larger than the JVM takes.
    #[error("the class file is larger than 2 GB")]
    TooLarge,
    /// It ends in the middle of something.
    #[error("the class file ends early: at byte {offset} more is announced than is there")]
    Truncated {
        /// Where more bytes were expected.
        offset: usize,
    },
    /// A constant of a kind that this version does not know.
    #[error("constant {index} is of the unknown kind {tag}")]
    UnknownConstant {
        /// Its index.
        index: u16,
        /// Its tag.
        tag: u8,
    },
    /// A reference to a constant that does not exist or is of another kind.
    #[error("constant {index} is not the {expected} it is used as")]
    BadConstant {
        /// Its index.
        index: u16,
        /// What it is used as.
        expected: &'static str,
    },
}

impl From<Truncated> for Decline {
    fn from(truncated: Truncated) -> Self {
        Self::Truncated { offset: truncated.offset }
    }
}

/// Why a method is left without hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MethodDecline {
    /// With hooks it would be longer than a method may be.
    #[error("with hooks the method would have {bytes} bytes of code, more than 65,535")]
    TooLarge {
        /// The length it would have.
        bytes: usize,
    },
    /// A conditional branch would span more than 32 KB, and the code after it
    /// has no stack map frame that would allow to put it differently.
    #[error("the branch at {offset} would be too far for its instruction")]
    BranchTooFar {
        /// The branch in the original code.
        offset: usize,
    },
    /// The class already has nearly 65,535 constants.
    #[error("the constant pool of the class has no room for the hooks")]
    ConstantPoolFull,
    /// The operand stack would exceed 65,535 slots.
    #[error("the operand stack has no room for the hooks")]
    StackTooDeep,
    /// A hook at its start was asked for, but it is abstract or native.
    #[error("the method has no code, so nothing can be inserted at its start")]
    NoCode,
    /// A frame kind or verification type that this version does not know.
    #[error("a stack map frame has the unknown tag {tag}")]
    UnknownFrame {
        /// The frame kind or verification type.
        tag: u8,
    },
    /// A type annotation with a target that this version does not know.
    #[error("a type annotation has the unknown target {target:#04x}")]
    UnknownAnnotationTarget {
        /// Its target type.
        target: u8,
    },
    /// A constructor without stack map frames in which it cannot be told where
    /// `this` is initialised.
    #[error("it is unclear at {offset} whether the object under construction is initialised")]
    UnclearConstructor {
        /// The instruction in the original code.
        offset: usize,
    },
    /// An instruction that does not exist or does not fit.
    #[error("there is no valid instruction at {offset}")]
    BadInstruction {
        /// Where it was expected.
        offset: usize,
    },
    /// A branch, table or frame that points into the middle of an instruction
    /// or outside the code.
    #[error("{offset} is used as the place of an instruction, but none begins there")]
    BadOffset {
        /// The place.
        offset: usize,
    },
    /// A descriptor that is none.
    #[error("constant {index} is used as a descriptor, but is none")]
    BadDescriptor {
        /// The constant that names it.
        index: u16,
    },
    /// A reference to a constant that does not exist or is of another kind.
    #[error("constant {index} is not the {expected} it is used as")]
    BadConstant {
        /// Its index.
        index: u16,
        /// What it is used as.
        expected: &'static str,
    },
    /// An attribute of the code ends early.
    #[error("the code or one of its attributes ends early")]
    Truncated,
    /// An attribute of the code is longer than its content.
    #[error("an attribute of the code has more bytes than its content needs")]
    TrailingBytes,
}

impl From<Truncated> for MethodDecline {
    fn from(_: Truncated) -> Self {
        Self::Truncated
    }
}
