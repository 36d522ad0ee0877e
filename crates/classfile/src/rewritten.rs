//! What came of a rewrite.

use crate::blocks::Block;
use crate::decline::MethodDecline;

/// The result for one class.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rewritten {
    /// The new class file, or nothing if the class needs no change.
    pub bytes: Option<Vec<u8>>,
    /// Places that now call the hook class.
    pub sites: u32,
    /// Accesses that need no hook because an earlier one in the same block has
    /// reported the same, or because nobody else can know the object yet.
    pub redundant: u32,
    /// Methods that HotSpot would have compiled and no longer does, because
    /// hooks made them longer than 8,000 bytes.
    pub grown_past_compile_limit: u32,
    /// Methods that had something to hook and are left as they were.
    pub declined_methods: Vec<DeclinedMethod>,
    /// The methods with code, if it was asked which code runs. Their blocks are
    /// numbered one after the other, from the number of the class on.
    pub code: Vec<MethodCode>,
}

/// A method that tells which of its code runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodCode {
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
    /// Its blocks, in the order of the code.
    pub blocks: Vec<Block>,
    /// Why it does not tell; then there are no blocks.
    pub unwatched: Option<MethodDecline>,
}

/// A method that stays without hooks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclinedMethod {
    /// Name and descriptor, such as `get(I)Ljava/lang/Object;`.
    pub method: String,
    /// Why.
    pub reason: MethodDecline,
}
