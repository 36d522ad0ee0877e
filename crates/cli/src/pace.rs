//! How fast tests end, and when the last one will.

use std::time::Duration;

use residue_report::duration;

const SECOND: Duration = Duration::from_secs(1);

/// `, 12/s, about 4 s left`: as much of it as is worth saying.
pub fn pace(per_second: f64, left: Duration) -> String {
    rate(per_second) + &time_left(left)
}

/// `, about 4 s left`; nothing if it is over at once.
pub fn time_left(left: Duration) -> String {
    if left < SECOND { String::new() } else { format!(", about {} left", duration(left)) }
}

fn rate(per_second: f64) -> String {
    let per_minute = per_second * 60.0;
    if per_second >= 1.0 {
        format!(", {per_second:.0}/s")
    } else if per_minute >= 1.0 {
        format!(", {per_minute:.0}/min")
    } else {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_rate_is_told_as_zero_and_no_time_left_in_microseconds() {
        assert_eq!(pace(12.3, 4 * SECOND), ", 12/s, about 4.00 s left");
        assert_eq!(pace(0.5, Duration::ZERO), ", 30/min");
        assert_eq!(pace(0.001, SECOND / 2), "");
        assert_eq!(pace(0.0, Duration::MAX), format!(", about {} left", duration(Duration::MAX)));
    }
}
