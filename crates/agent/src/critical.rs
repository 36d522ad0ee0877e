//! Whether native code of this thread holds a pointer into the heap, for which
//! a collector may wait. Until it lets go, nothing must be asked of the VM that
//! may have to wait for others.

use std::cell::Cell;

thread_local! {
    static HELD: Cell<u32> = const { Cell::new(0) };
}

pub(crate) fn holds_pointer() -> bool {
    HELD.get() > 0
}

pub(crate) fn took_pointer() {
    HELD.set(HELD.get().saturating_add(1));
}

pub(crate) fn let_go() {
    HELD.set(HELD.get().saturating_sub(1));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_are_held_by_threads_and_may_be_nested() {
        took_pointer();
        took_pointer();
        let_go();
        assert!(holds_pointer());
        assert!(!std::thread::spawn(holds_pointer).join().unwrap());
        let_go();
        assert!(!holds_pointer());
    }
}
