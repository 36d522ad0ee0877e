//! Names that are the same in every run, although parts of them are made up on
//! the way: `junit8137420914` is `junit*`.

/// So many digits in a row are no number that somebody chose.
const RANDOM_DIGITS: usize = 6;
/// Digits and dashes of a UUID.
const UUID: usize = 36;

/// The name without what is random in it.
pub(crate) fn without_random(name: &str) -> String {
    let mut stable = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let random = if is_uuid(rest) { UUID } else { digits };
        let (taken, shown) = if random >= RANDOM_DIGITS {
            (random, "*")
        } else {
            let taken = digits.max(first.len_utf8());
            (taken, &rest[..taken])
        };
        stable.push_str(shown);
        rest = &rest[taken..];
    }
    stable
}

/// The name without any number, for what is numbered as it comes.
pub(crate) fn without_numbers(name: &str) -> String {
    let mut stable = String::with_capacity(name.len());
    for character in name.chars() {
        if !character.is_ascii_digit() {
            stable.push(character);
        } else if !stable.ends_with('*') {
            stable.push('*');
        }
    }
    stable
}

fn is_uuid(text: &str) -> bool {
    let fits = |(at, byte): (usize, &u8)| match at {
        8 | 13 | 18 | 23 => *byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    };
    text.as_bytes().get(..UUID).is_some_and(|start| start.iter().enumerate().all(fits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_up_is_left_out_and_what_was_chosen_stays() {
        for (name, stable) in [
            ("<tmp>/junit8137420914/data-1.txt", "<tmp>/junit*/data-1.txt"),
            ("out/123e4567-e89b-12d3-a456-426614174000.bin", "out/*.bin"),
            ("target/2024.txt", "target/2024.txt"),
            ("größe-1234567", "größe-*"),
        ] {
            assert_eq!(without_random(name), stable);
        }
    }

    #[test]
    fn threads_of_a_pool_are_numbered_as_they_come() {
        assert_eq!(without_numbers("pool-12-thread-3"), "pool-*-thread-*");
        assert_eq!(without_numbers("worker"), "worker");
    }
}
