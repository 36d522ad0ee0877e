//! The classes of `java.base` that every traced JVM loads until its first test,
//! in the order in which it does.
//!
//! The lists were made by `scripts/early-classes`. A class that is missing from
//! them, or that another JDK does not have, only makes the start a bit later.

const JDK_17: &str = include_str!("early_classes/17.txt");
const JDK_25: &str = include_str!("early_classes/25.txt");

/// Names with slashes, by the list that is nearest.
pub(crate) fn of_jdk(version: u32) -> Vec<&'static str> {
    let list = if version < 21 { JDK_17 } else { JDK_25 };
    list.lines().collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn lists_begin_with_the_first_class_and_have_none_twice() {
        for version in [17, 25] {
            let classes = of_jdk(version);
            assert_eq!(classes[0], "java/lang/Object");
            let distinct: HashSet<_> = classes.iter().collect();
            assert_eq!(distinct.len(), classes.len(), "JDK {version}");
        }
    }
}
