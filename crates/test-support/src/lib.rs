//! For tests only: compiles Java fixtures against real framework jars.
//!
//! A fixture is a folder `fixtures/NAME/src` of Java sources, with further
//! folders next to it for what only some framework versions know. Its classes
//! become a suite that runs in a working directory of its own. What each test
//! is expected to do stands in the source, see [`Expectations`]. Whatever goes
//! wrong here panics, since only tests use it.

mod expectation;
mod expectations;
mod fixture;
mod hand_made;
mod jars;
mod version;

pub use expectations::Expectations;
pub use fixture::Fixture;
pub use hand_made::{HandMadeClass, WITH_SUBROUTINE, WITHOUT_SUBROUTINE};
pub use jars::{JUNIT4, JUNIT5, jar, jars};
