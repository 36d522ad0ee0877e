//! What came of a rewrite.

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
}

/// A method that stays without hooks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclinedMethod {
    /// Name and descriptor, such as `get(I)Ljava/lang/Object;`.
    pub method: String,
    /// Why.
    pub reason: MethodDecline,
}
