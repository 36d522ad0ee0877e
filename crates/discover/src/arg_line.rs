//! Surefire's `argLine`: late properties and splitting into arguments.

use std::collections::BTreeMap;

/// A quote is open at the end of the line.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the quote {0} is not closed")]
pub(crate) struct UnclosedQuote(char);

/// Puts in properties that other plugins set during the build (`@{jacoco}`).
/// Unknown ones stay as they are, as with Surefire.
pub(crate) fn replace_late_properties(line: &str, properties: &BTreeMap<String, String>) -> String {
    let replace = |line: String, (key, value): (&String, &String)| {
        line.replace(&format!("@{{{key}}}"), value)
    };
    properties.iter().fold(line.to_owned(), replace)
}

/// Surefire numbers its forks from one; there is only ever one here.
pub(crate) fn replace_fork_number(text: &str) -> String {
    text.replace("${surefire.forkNumber}", "1").replace("${surefire.threadNumber}", "1")
}

/// Splits at white space outside quotes and drops the quotes. There are no
/// escapes: a backslash is an ordinary character, as in Windows paths.
pub(crate) fn split(line: &str) -> Result<Vec<String>, UnclosedQuote> {
    let mut arguments = Vec::new();
    let mut current: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => current.get_or_insert_default().push(c),
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                current.get_or_insert_default();
            }
            None if c.is_whitespace() => arguments.extend(current.take()),
            None => current.get_or_insert_default().push(c),
        }
    }
    arguments.extend(current);
    quote.map_or(Ok(arguments), |open| Err(UnclosedQuote(open)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_keep_spaces_together_and_go_away() {
        let line = r#"-Xmx1g  -Da="b c" '-Dd=e f' -Dpath=C:\x "" -Dq="it's" "#;
        assert_eq!(
            split(line).unwrap(),
            ["-Xmx1g", "-Da=b c", "-Dd=e f", r"-Dpath=C:\x", "", "-Dq=it's"]
        );
    }

    #[test]
    fn lines_of_a_pom_are_one_argument_line() {
        assert_eq!(split("\n      -Xmx1g\n      -ea\n    ").unwrap(), ["-Xmx1g", "-ea"]);
        assert!(split("  \n ").unwrap().is_empty());
    }

    #[test]
    fn an_unclosed_quote_is_an_error() {
        assert_eq!(split("-Da='b").unwrap_err().to_string(), "the quote ' is not closed");
    }

    #[test]
    fn late_properties_are_put_in_and_unknown_ones_stay() {
        let properties = BTreeMap::from([("argLine".into(), "-javaagent:j.jar".into())]);
        assert_eq!(
            replace_late_properties("@{argLine} -Xmx1g @{other}", &properties),
            "-javaagent:j.jar -Xmx1g @{other}"
        );
    }

    #[test]
    fn there_is_one_fork() {
        assert_eq!(
            replace_fork_number("-Dport=80${surefire.forkNumber} ${surefire.threadNumber}"),
            "-Dport=801 1"
        );
    }
}
