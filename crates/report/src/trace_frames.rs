//! The frames of a stack that say something to the reader.

use residue_model::{Frame, TestId};

/// Frames of the project's own code that are shown.
const SHOWN: usize = 4;

/// Code below or above the project's own: the JDK and who runs the tests.
const SURROUNDINGS: [&str; 16] = [
    "java.",
    "javax.",
    "jdk.",
    "sun.",
    "com.sun.",
    "junit.",
    "org.junit.",
    "org.testng.",
    "org.hamcrest.",
    "org.assertj.",
    "org.mockito.",
    "org.spockframework.",
    "org.apache.maven.surefire.",
    "org.gradle.",
    "residue.runner.",
    "kotlin.reflect.",
];

/// Whether a class is below or above the project's own.
pub(crate) fn is_surrounding(class: &str) -> bool {
    SURROUNDINGS.iter().any(|package| class.starts_with(package))
}

/// Where the access itself happened, then how the test got there: frames of
/// the JDK and of the framework in between are left out.
pub(crate) fn interesting<'a>(
    stack: impl Iterator<Item = &'a Frame>,
    test: &TestId,
) -> Vec<&'a Frame> {
    let frames: Vec<_> = stack.collect();
    let own = test.top_level_class();
    let is_own = |frame: &&Frame| {
        frame.class.strip_prefix(own).is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
    };
    // What called the test is the same for every test.
    let end = frames.iter().rposition(is_own).map_or(frames.len(), |last| last + 1);
    let surrounding = |frame: &&Frame| is_surrounding(&frame.class);
    let innermost = frames.first().copied().filter(surrounding);
    let project: Vec<_> =
        frames[..end].iter().copied().filter(|frame| !surrounding(frame)).collect();
    let mut shown: Vec<_> = innermost.into_iter().collect();
    match project.len() {
        0..=SHOWN => shown.extend(project),
        // The last says which line of the test it was.
        many => {
            shown.extend(&project[..SHOWN - 1]);
            shown.push(project[many - 1]);
        }
    }
    shown
}
