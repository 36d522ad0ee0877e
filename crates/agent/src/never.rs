//! Classes that are never rewritten.

/// Packages whose fields are all ignored and whose code touches nobody's arrays
/// but its own: the runner, and what the JDK runs through before it comes to any
/// code of tests. Hooks in them would only make every JVM start later.
const PACKAGES: [&[u8]; 6] = [
    b"java/lang/module/",
    b"jdk/internal/jimage/",
    b"jdk/internal/module/",
    b"jdk/internal/org/objectweb/asm/",
    b"residue/runner/",
    b"sun/launcher/",
];

/// The hook itself and what it is made of, and classes whose objects are values
/// together with their helpers: nothing in them can be shared, and hooks would
/// only slow them down.
pub(crate) fn is_left_alone(name: &[u8]) -> bool {
    if name.starts_with(b"java/lang/Residue") {
        return true;
    }
    if PACKAGES.iter().any(|package| name.starts_with(package)) {
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
