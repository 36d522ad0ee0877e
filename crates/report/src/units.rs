//! Numbers as people say them.

use std::time::Duration;

/// `1 test`, `2 tests`, `1,234 tests`.
pub fn count(number: usize, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", grouped(number))
}

pub(crate) fn dependencies(number: usize) -> String {
    let thing = if number == 1 { "dependency" } else { "dependencies" };
    format!("{} {thing}", grouped(number))
}

pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A duration with about three digits: `870 µs`, `12.3 ms`, `4.56 s`, `3 m 05 s`.
pub fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    match duration.as_secs() {
        0 if duration.as_micros() < 1_000 => format!("{} µs", duration.as_micros()),
        0 => significant(seconds * 1e3, "ms"),
        1..100 => significant(seconds, "s"),
        whole @ 100..3_600 => format!("{} m {:02} s", whole / 60, whole % 60),
        whole => format!("{} h {:02} m", whole / 3_600, whole % 3_600 / 60),
    }
}

fn significant(value: f64, unit: &str) -> String {
    let decimals = if value < 10.0 {
        2
    } else if value < 100.0 {
        1
    } else {
        0
    };
    format!("{value:.decimals$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped_and_agree_with_their_noun() {
        assert_eq!(count(1, "test"), "1 test");
        assert_eq!(count(0, "test"), "0 tests");
        assert_eq!(count(1_234_567, "test"), "1,234,567 tests");
        assert_eq!(count(999, "run"), "999 runs");
    }

    #[test]
    fn durations_keep_about_three_digits() {
        let cases = [
            (0.000_87, "870 µs"),
            (0.0123, "12.3 ms"),
            (0.123, "123 ms"),
            (4.561, "4.56 s"),
            (185.0, "3 m 05 s"),
            (7_260.0, "2 h 01 m"),
        ];
        for (seconds, text) in cases {
            assert_eq!(duration(Duration::from_secs_f64(seconds)), text);
        }
    }
}
