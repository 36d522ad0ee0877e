//! What a test threw.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::TestId;

/// A throwable that ended a test or a fixture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// Class name of the throwable.
    pub exception: String,
    /// Its message, if any.
    pub message: Option<String>,
    /// Stack frames, innermost first; the runner caps their number.
    pub frames: Vec<Frame>,
    /// What caused it.
    pub cause: Option<Box<Failure>>,
}

/// One stack frame.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// Binary class name.
    pub class: String,
    /// Method name.
    pub method: String,
    /// Source file, where the class file tells.
    pub file: Option<String>,
    /// Source line, where the class file tells; negative for native methods.
    pub line: Option<i32>,
}

impl Failure {
    /// The innermost line of the test's own code, by which DTDetector tells
    /// two failures apart. Nested classes and lambdas belong to their test.
    pub fn site(&self, test: &TestId) -> Option<&Frame> {
        let own = test.top_level_class();
        self.frames.iter().find(|frame| {
            frame
                .class
                .strip_prefix(own)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
        })
    }

    /// Same exception type at the same line of the test's own code. Messages
    /// differ between runs (addresses, times), so they do not count.
    pub fn same_as(&self, other: &Failure, test: &TestId) -> bool {
        let line = |failure: &Failure| {
            failure.site(test).map(|frame| (frame.class.clone(), frame.method.clone(), frame.line))
        };
        self.exception == other.exception && line(self) == line(other)
    }

    /// The first line as the JVM would print it.
    pub fn headline(&self) -> String {
        match &self.message {
            Some(message) => format!("{}: {}", self.exception, message),
            None => self.exception.clone(),
        }
    }

    /// The whole trace as the JVM would print it.
    pub fn stack_trace(&self) -> String {
        let mut text = self.headline();
        let mut failure = self;
        loop {
            for frame in &failure.frames {
                // Writing to a String cannot fail.
                let _ = write!(text, "\n\tat {frame}");
            }
            match &failure.cause {
                Some(cause) => {
                    let _ = write!(text, "\nCaused by: {}", cause.headline());
                    failure = cause;
                }
                None => return text,
            }
        }
    }
}

impl std::fmt::Display for Frame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.class, self.method)?;
        match (&self.file, self.line) {
            (Some(file), Some(line)) if line >= 0 => write!(f, "({file}:{line})"),
            (_, Some(line)) if line < 0 => write!(f, "(Native Method)"),
            (Some(file), _) => write!(f, "({file})"),
            (None, _) => write!(f, "(Unknown Source)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(class: &str, line: i32) -> Frame {
        Frame {
            class: class.into(),
            method: "m".into(),
            file: Some("F.java".into()),
            line: Some(line),
        }
    }

    fn failure(frames: Vec<Frame>) -> Failure {
        Failure { exception: "E".into(), message: None, frames, cause: None }
    }

    #[test]
    fn the_site_is_the_innermost_frame_of_the_tests_own_class() {
        let test = TestId::parse("a.T$Nested#m").unwrap();
        let thrown = failure(vec![frame("org.Assert", 1), frame("a.T$1", 7), frame("a.T", 9)]);
        assert_eq!(thrown.site(&test).unwrap().line, Some(7));
        assert!(failure(vec![frame("a.Tother", 3)]).site(&test).is_none());
    }

    #[test]
    fn another_line_of_the_test_is_another_failure_but_another_message_is_not() {
        let test = TestId::parse("a.T#m").unwrap();
        let first = failure(vec![frame("a.T", 7)]);
        let mut second = first.clone();
        second.message = Some("now with words".into());
        assert!(first.same_as(&second, &test));
        assert!(!first.same_as(&failure(vec![frame("a.T", 8)]), &test));
    }
}
