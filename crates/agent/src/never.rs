//! Classes that are never rewritten.

/// The hook itself and what it is made of, and classes whose objects are values
/// together with their helpers: nothing in them can be shared, and hooks would
/// only slow them down.
pub(crate) fn is_left_alone(name: &[u8]) -> bool {
    if name.starts_with(b"java/lang/Residue") {
        return true;
    }
    matches!(
        name,
        b"jdk/internal/misc/Unsafe"
            | b"jdk/internal/misc/UnsafeConstants"
            | b"java/lang/Boolean"
            | b"java/lang/Byte"
            | b"java/lang/Byte$ByteCache"
            | b"java/lang/Character"
            | b"java/lang/Character$CharacterCache"
            | b"java/lang/CharacterData00"
            | b"java/lang/CharacterDataLatin1"
            | b"java/lang/Double"
            | b"java/lang/Float"
            | b"java/lang/Integer"
            | b"java/lang/Integer$IntegerCache"
            | b"java/lang/Long"
            | b"java/lang/Long$LongCache"
            | b"java/lang/Short"
            | b"java/lang/Short$ShortCache"
            | b"java/lang/String"
            | b"java/lang/StringCoding"
            | b"java/lang/StringConcatHelper"
            | b"java/lang/StringLatin1"
            | b"java/lang/StringUTF16"
    )
}
