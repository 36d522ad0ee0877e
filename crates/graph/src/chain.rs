//! The longest chain of data dependencies.

/// The longest path along `edges` (later, earlier), first to run first; empty
/// if there is no edge. Nodes are numbered in the order in which they ran, and
/// an edge against that order is left out: it comes from a class whose tests
/// are scattered, and would close a circle.
pub(crate) fn longest_chain(
    nodes: usize,
    edges: impl Iterator<Item = (usize, usize)>,
) -> Vec<usize> {
    let mut forward: Vec<_> = edges.filter(|(later, earlier)| earlier < later).collect();
    forward.sort_unstable();
    // Tests on the longest chain that ends here, and the one before.
    let mut length = vec![1_usize; nodes];
    let mut before: Vec<Option<usize>> = vec![None; nodes];
    for (later, earlier) in forward {
        if length[earlier] + 1 > length[later] {
            length[later] = length[earlier] + 1;
            before[later] = Some(earlier);
        }
    }
    let end = (0..nodes).filter(|node| length[*node] > 1).max_by_key(|node| {
        // Of chains of the same length the first to end.
        (length[*node], std::cmp::Reverse(*node))
    });
    let mut chain: Vec<_> = std::iter::successors(end, |node| before[*node]).collect();
    chain.reverse();
    chain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_runs_from_the_first_writer_to_the_last_reader() {
        let edges = [(1, 0), (3, 1), (2, 0), (4, 3), (4, 2)];
        assert_eq!(longest_chain(6, edges.into_iter()), [0, 1, 3, 4]);
    }

    #[test]
    fn without_an_edge_there_is_no_chain() {
        assert!(longest_chain(3, std::iter::empty()).is_empty());
        assert!(longest_chain(0, std::iter::empty()).is_empty());
    }

    #[test]
    fn an_edge_against_the_order_closes_no_circle() {
        assert_eq!(longest_chain(2, [(1, 0), (0, 1)].into_iter()), [0, 1]);
    }
}
