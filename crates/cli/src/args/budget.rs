//! How long a search may take: `10m`, or `30x` as long as the suite.

use std::time::Duration;

use residue_detect::Budget;

use super::duration::parse_duration;

/// `10m`, `90s`, `30x`.
pub(super) fn parse_budget(text: &str) -> Result<Budget, String> {
    let times = text.strip_suffix('x').and_then(|times| times.parse::<u32>().ok());
    match times.filter(|times| *times > 0) {
        Some(times) => Ok(Budget::Times(times, Duration::ZERO)),
        None => parse_duration(text).map(Budget::Time).map_err(|_| {
            format!(
                "`{text}` is no budget: write a time, such as 90s or 5m, or how many times as \
                 long as the suite, such as 30x"
            )
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_a_time_or_a_multiple() {
        assert_eq!(parse_budget("5m"), Ok(Budget::Time(Duration::from_secs(300))));
        assert_eq!(parse_budget("30x"), Ok(Budget::Times(30, Duration::ZERO)));
        for wrong in ["", "x", "0x", "-1x", "1.5x", "soon"] {
            assert!(parse_budget(wrong).is_err(), "{wrong:?} was accepted");
        }
    }
}
