//! Texts as Java source writes them.

/// A string literal.
pub(crate) fn java_string(text: &str) -> String {
    let mut literal = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => literal.extend(['\\', c]),
            '\n' => literal += "\\n",
            '\r' => literal += "\\r",
            '\t' => literal += "\\t",
            c if c.is_ascii_control() => literal += &format!("\\u{:04x}", u32::from(c)),
            c => literal.push(c),
        }
    }
    literal + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_line_breaks_within_a_literal_are_escaped() {
        assert_eq!(java_string("thread \"main\""), r#""thread \"main\"""#);
        assert_eq!(java_string("C:\\x\ny\u{1}ü"), r#""C:\\x\ny\u0001ü""#);
    }
}
