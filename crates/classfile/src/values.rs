//! Names for what is on the stack and in locals, as far as it can be told that
//! two of them are the same.

/// A value within one block of code: equal values are the same object or the
/// same number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Value(u32);

const FIRST_LOCAL: u32 = 1;
const FIRST_NEW: u32 = 1 << 17;
const FIRST_NUMBER: u32 = 1 << 30;

impl Value {
    /// Nothing is known; not even equal to itself.
    pub(crate) const UNKNOWN: Self = Self(0);

    /// In a constructor: the object under construction. In other methods it is
    /// what the first local holds, like any other parameter.
    pub(crate) const THIS: Self = Self(FIRST_LOCAL);

    /// What a local holds that is never stored to.
    pub(crate) fn of_parameter(local: usize) -> Self {
        u32::try_from(local).map_or(Self::UNKNOWN, |local| Self(FIRST_LOCAL + local.min(0xffff)))
    }

    pub(crate) fn of_number(number: i16) -> Self {
        Self(FIRST_NUMBER + u32::from(number.cast_unsigned()))
    }

    pub(crate) fn is_known(self) -> bool {
        self != Self::UNKNOWN
    }
}

/// Makes values that differ from all others.
#[derive(Debug)]
pub(crate) struct NewValues {
    next: u32,
}

impl Default for NewValues {
    fn default() -> Self {
        Self { next: FIRST_NEW }
    }
}

impl NewValues {
    /// One instruction makes at most a few, so they never reach the numbers.
    pub(crate) fn next(&mut self) -> Value {
        self.next += 1;
        Value(self.next)
    }
}
