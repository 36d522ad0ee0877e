//! Maps and sets of cells: cells are numbered densely, but a trace touches
//! only some of them, so memory is taken a page at a time.

const PAGE: u64 = 4096;
const WORDS: usize = PAGE as usize / 64;

fn place(cell: u32) -> (usize, usize) {
    ((u64::from(cell) / PAGE) as usize, (u64::from(cell) % PAGE) as usize)
}

/// From cells to small numbers.
#[derive(Debug, Default)]
pub(super) struct CellMap {
    /// One more than the number; 0 where there is none.
    pages: Vec<Option<Box<[u32; PAGE as usize]>>>,
}

impl CellMap {
    pub(super) fn get(&self, cell: u32) -> Option<u32> {
        let (page, at) = place(cell);
        let page = self.pages.get(page)?.as_ref()?;
        page[at].checked_sub(1)
    }

    pub(super) fn insert(&mut self, cell: u32, number: u32) {
        let (page, at) = place(cell);
        if self.pages.len() <= page {
            self.pages.resize_with(page + 1, || None);
        }
        let page = self.pages[page].get_or_insert_with(|| Box::new([0; PAGE as usize]));
        page[at] = number.saturating_add(1);
    }
}

/// A set of cells.
#[derive(Debug, Default)]
pub(super) struct CellSet {
    pages: Vec<Option<Box<[u64; WORDS]>>>,
}

impl CellSet {
    pub(super) fn insert(&mut self, cell: u32) {
        let (page, at) = place(cell);
        if self.pages.len() <= page {
            self.pages.resize_with(page + 1, || None);
        }
        let page = self.pages[page].get_or_insert_with(|| Box::new([0; WORDS]));
        page[at / 64] |= 1 << (at % 64);
    }

    /// The first member in `from..limit`, or `limit`.
    pub(super) fn next(&self, from: u64, limit: u64) -> u64 {
        let mut cell = from;
        while cell < limit {
            let page_index = (cell / PAGE) as usize;
            let Some(page) = self.pages.get(page_index) else { return limit };
            let at = (cell % PAGE) as usize;
            let Some(page) = page else {
                cell = (page_index as u64 + 1) * PAGE;
                continue;
            };
            let word = page[at / 64] >> (at % 64);
            if word != 0 {
                return limit.min(cell + u64::from(word.trailing_zeros()));
            }
            cell += 64 - (at % 64) as u64;
        }
        limit
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_next_member_is_the_one_an_ordered_set_has(
            members in prop::collection::btree_set(0_u32..20_000, 0..40),
            from in 0_u64..25_000,
            length in 0_u64..25_000,
        ) {
            let mut set = CellSet::default();
            members.iter().for_each(|cell| set.insert(*cell));
            let limit = from + length;
            let members: BTreeSet<u64> = members.into_iter().map(u64::from).collect();
            let expected = members.range(from..limit).next().copied().unwrap_or(limit);
            prop_assert_eq!(set.next(from, limit), expected);
        }
    }

    #[test]
    fn the_last_cell_there_can_be_has_its_place() {
        let mut map = CellMap::default();
        map.insert(u32::MAX, 7);
        assert_eq!((map.get(u32::MAX), map.get(0)), (Some(7), None));
        let mut set = CellSet::default();
        set.insert(u32::MAX);
        let beyond = u64::from(u32::MAX) + 1;
        assert_eq!(set.next(5, beyond), u64::from(u32::MAX));
    }
}
