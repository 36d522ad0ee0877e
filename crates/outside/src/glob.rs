//! Patterns with `*`, which stops at a slash, and `**`, which does not.

pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((start, rest)) => {
            let Some(text) = text.strip_prefix(start) else { return false };
            match rest.strip_prefix('*') {
                Some(rest) => ends(text, |_| true).any(|tail| matches(rest, tail)),
                None => {
                    ends(text, |skipped| !skipped.contains('/')).any(|tail| matches(rest, tail))
                }
            }
        }
    }
}

/// What is left of a text after each number of characters that may be skipped.
fn ends(text: &str, may_skip: fn(&str) -> bool) -> impl Iterator<Item = &str> {
    let places = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    places
        .map(|at| text.split_at(at))
        .take_while(move |(skipped, _)| may_skip(skipped))
        .map(|p| p.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_star_stays_in_its_folder_and_two_do_not() {
        assert!(matches("/a/*.txt", "/a/b.txt"));
        assert!(!matches("/a/*.txt", "/a/b/c.txt"));
        assert!(matches("/a/**.txt", "/a/b/c.txt"));
        assert!(matches("**/fonts/**", "/usr/fonts/x/y"));
        assert!(!matches("/a", "/a/b"));
        assert!(matches("*:53", "10.0.0.1:53"));
    }
}
