//! What changed since a state of the code, and what that touches in a suite.
//!
//! Here is the IO: git, class folders, the store. What follows from it is
//! decided in `residue-change`.

mod basis;
mod class_path;
mod executed;
mod git;
mod since;
mod touching;

pub use basis::Basis;
pub use class_path::ClassPath;
pub use git::GitError;
pub use since::Since;
pub use touching::Touching;
