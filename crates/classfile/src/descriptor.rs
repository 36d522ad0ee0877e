//! Descriptors of fields and methods.

/// What a descriptor says about one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `boolean`, `byte`, `char`, `short` or `int`.
    Int,
    Long,
    Float,
    Double,
    Reference,
}

impl Kind {
    /// Stack slots or local variables that a value of this kind takes.
    pub(crate) fn slots(self) -> usize {
        match self {
            Self::Long | Self::Double => 2,
            Self::Int | Self::Float | Self::Reference => 1,
        }
    }
}

/// The kind of a field.
pub(crate) fn field_kind(descriptor: &[u8]) -> Option<Kind> {
    let (kind, rest) = first_kind(descriptor)?;
    rest.is_empty().then_some(kind)
}

/// Splits off the first value of a descriptor.
fn first_kind(descriptor: &[u8]) -> Option<(Kind, &[u8])> {
    let dimensions = descriptor.iter().take_while(|&&byte| byte == b'[').count();
    let (&first, mut rest) = descriptor[dimensions..].split_first()?;
    let element = match first {
        b'Z' | b'B' | b'C' | b'S' | b'I' => Kind::Int,
        b'J' => Kind::Long,
        b'F' => Kind::Float,
        b'D' => Kind::Double,
        b'L' => {
            let end = rest.iter().position(|&byte| byte == b';')?;
            rest = &rest[end + 1..];
            Kind::Reference
        }
        _ => return None,
    };
    Some((if dimensions > 0 { Kind::Reference } else { element }, rest))
}

/// Walks the parameters of a method.
#[derive(Debug, Clone)]
pub(crate) struct Parameters<'a> {
    rest: &'a [u8],
}

impl<'a> Parameters<'a> {
    /// Nothing if the descriptor does not begin as one of a method.
    pub(crate) fn of(descriptor: &'a [u8]) -> Option<Self> {
        let rest = descriptor.strip_prefix(b"(")?;
        Some(Self { rest })
    }

    /// The next parameter, or how many slots the result takes.
    pub(crate) fn next(&mut self) -> Option<Part> {
        if let Some(result) = self.rest.strip_prefix(b")") {
            let slots = if result == b"V" { 0 } else { field_kind(result)?.slots() };
            return Some(Part::Result { slots });
        }
        let (kind, rest) = first_kind(self.rest)?;
        self.rest = rest;
        Some(Part::Parameter(kind))
    }
}

/// A part of a method descriptor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Parameter(Kind),
    Result { slots: usize },
}

/// Slots that a call pops (without a receiver) and pushes.
pub(crate) fn method_slots(descriptor: &[u8]) -> Option<(usize, usize)> {
    let mut parameters = Parameters::of(descriptor)?;
    let mut popped = 0;
    loop {
        match parameters.next()? {
            Part::Parameter(kind) => popped += kind.slots(),
            Part::Result { slots } => return Some((popped, slots)),
        }
    }
}

/// All parameters of a method.
pub(crate) fn parameter_kinds(descriptor: &[u8]) -> Option<Vec<Kind>> {
    let mut parameters = Parameters::of(descriptor)?;
    let mut kinds = Vec::new();
    loop {
        match parameters.next()? {
            Part::Parameter(kind) => kinds.push(kind),
            Part::Result { .. } => return Some(kinds),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_values_take_two_slots_and_arrays_one() {
        assert_eq!(method_slots(b"()V"), Some((0, 0)));
        assert_eq!(method_slots(b"(IJLa/B;[[D[La/B;Z)D"), Some((7, 2)));
        assert_eq!(method_slots(b"([J)[J"), Some((1, 1)));
    }

    #[test]
    fn broken_descriptors_are_none() {
        for broken in ["", "(", "()", "(I", "(La/B)V", "(V)V", "I", "()[V", "()VV", "()II"] {
            assert_eq!(method_slots(broken.as_bytes()), None, "{broken}");
        }
        for broken in ["", "V", "II", "[", "La", "(I)V"] {
            assert_eq!(field_kind(broken.as_bytes()), None, "{broken}");
        }
    }
}
