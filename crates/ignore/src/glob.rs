//! Names with wildcards.

/// A pattern over dotted names: `*` stands for any characters but dots, `**`
/// for any characters at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Glob {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Literal(String),
    WithinSegment,
    Anything,
}

impl Glob {
    pub(crate) fn new(pattern: &str) -> Self {
        let mut parts = Vec::new();
        let mut rest = pattern;
        while !rest.is_empty() {
            let stars = rest.len() - rest.trim_start_matches('*').len();
            match stars {
                0 => {
                    let end = rest.find('*').unwrap_or(rest.len());
                    parts.push(Part::Literal(rest[..end].to_owned()));
                    rest = &rest[end..];
                }
                1 => {
                    parts.push(Part::WithinSegment);
                    rest = &rest[1..];
                }
                _ => {
                    parts.push(Part::Anything);
                    rest = &rest[stars..];
                }
            }
        }
        Self { parts }
    }

    /// The pattern, if it is a plain name.
    pub(crate) fn literal(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [Part::Literal(name)] => Some(name),
            _ => None,
        }
    }

    /// `a.b` of `a.b.**` and `a.b.*`: what all matching names begin with, up
    /// to a dot.
    pub(crate) fn package(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [Part::Literal(name), Part::Anything | Part::WithinSegment] => name.strip_suffix('.'),
            _ => None,
        }
    }

    pub(crate) fn matches(&self, name: &str) -> bool {
        matches(&self.parts, name)
    }
}

fn matches(parts: &[Part], name: &str) -> bool {
    let Some((first, rest)) = parts.split_first() else { return name.is_empty() };
    match first {
        Part::Literal(literal) => {
            name.strip_prefix(literal.as_str()).is_some_and(|tail| matches(rest, tail))
        }
        Part::Anything if rest.is_empty() => true,
        Part::WithinSegment if rest.is_empty() => !name.contains('.'),
        wildcard => {
            // Names and patterns are short and hold few wildcards.
            let limit = match wildcard {
                Part::WithinSegment => name.find('.').unwrap_or(name.len()),
                _ => name.len(),
            };
            let starts = name.char_indices().map(|(at, _)| at).chain([name.len()]);
            starts.take_while(|at| *at <= limit).any(|at| matches(rest, &name[at..]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_star_stays_within_a_segment_and_two_go_anywhere() {
        let cases = [
            ("a.b.C", "a.b.C", true),
            ("a.b.C", "a.b.CD", false),
            ("a.b.*", "a.b.C", true),
            ("a.b.*", "a.b.c.D", false),
            ("a.b.**", "a.b.c.D", true),
            ("a.b.**", "a.bc.D", false),
            ("a.*Test", "a.MyTest", true),
            ("a.*Test", "a.b.MyTest", false),
            ("**$$EnhancerBy*", "x.y.Z$$EnhancerByCGLIB$$1f", true),
            ("**$$EnhancerBy*", "x.y.Z$Enhancer", false),
            ("$jacoco*", "$jacocoData", true),
            ("**", "anything.at.All", true),
            ("*ü*", "aüb", true),
        ];
        for (pattern, name, expected) in cases {
            assert_eq!(Glob::new(pattern).matches(name), expected, "{pattern} on {name}");
        }
    }
}
