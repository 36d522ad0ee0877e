//! Text as XML wants it.

/// Escapes text for content and for attributes in double quotes. Characters
/// that XML 1.0 cannot hold become question marks.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            // Readers turn these into spaces where they stand in attributes.
            '\n' => escaped += "&#10;",
            '\r' => escaped += "&#13;",
            '\t' => escaped += "&#9;",
            c if c < ' ' || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push('?'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_cannot_hold_is_replaced() {
        assert_eq!(escaped("a<b & \"c\"\n\u{1}"), "a&lt;b &amp; &quot;c&quot;&#10;?");
    }
}
