//! The few styles that all text shares.

use std::fmt::Display;

use anstyle::{AnsiColor, Style};

/// Section titles.
pub const HEADING: Style = Style::new().bold();
/// What the user may paste or look up.
pub const NAME: Style = AnsiColor::Cyan.on_default();
/// What went well.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// What broke.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// What deserves a look.
pub const WARN: Style = AnsiColor::Yellow.on_default();
/// What can be passed over.
pub const DIM: Style = Style::new().dimmed();

/// The text in a style.
pub fn paint(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}
