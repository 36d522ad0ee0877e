//! Names as class files hold them.

use std::borrow::Cow;

/// A name of a class file (modified UTF-8) for people to read. What is no text
/// becomes a replacement character.
pub fn text(name: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(name) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(String::from_utf16_lossy(&utf16_units(name))),
    }
}

/// Modified UTF-8 is UTF-16 with one to three bytes a unit; surrogates stay two
/// units of three bytes each.
fn utf16_units(name: &[u8]) -> Vec<u16> {
    let mut units = Vec::with_capacity(name.len());
    let mut rest = name;
    while let Some((&first, tail)) = rest.split_first() {
        let (unit, used) = match (first, tail) {
            (0..=0x7f, _) => (u16::from(first), 0),
            (0xc0..=0xdf, [a, ..]) => (u16::from(first & 0x1f) << 6 | u16::from(a & 0x3f), 1),
            (0xe0..=0xef, [a, b, ..]) => {
                let high = u16::from(first & 0x0f) << 12 | u16::from(a & 0x3f) << 6;
                (high | u16::from(b & 0x3f), 2)
            }
            _ => (0xfffd, 0),
        };
        units.push(unit);
        rest = &tail[used..];
    }
    units
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn supplementary_characters_are_two_surrogates_of_three_bytes() {
        assert_eq!(text(b"a/B$1"), "a/B$1");
        assert_eq!(text("\u{e4}\u{20ac}".as_bytes()), "\u{e4}\u{20ac}");
        assert_eq!(text(&[0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]), "\u{1f600}");
        assert_eq!(text(&[b'x', 0xc0, 0x80]), "x\0");
        assert_eq!(text(&[0xff, b'y']), "\u{fffd}y");
    }
}
