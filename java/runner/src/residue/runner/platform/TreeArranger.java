package residue.runner.platform;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.junit.platform.engine.TestDescriptor;

/**
 * Cuts a discovered tree down to a selection and puts what stays into its order. Engines run a tree
 * as they find it, so this overrides every method and class orderer of the suite.
 */
final class TreeArranger {
    private final Selection selection;

    TreeArranger(Selection selection) {
        this.selection = selection;
    }

    /** Returns the place of the first wanted test in this tree, or null if none is wanted. */
    Integer arrange(TestDescriptor node) {
        String uniqueId = node.getUniqueId().toString();
        Integer own = selection.rank(uniqueId);
        if (node.getChildren().isEmpty() || own != null && selection.isWhole(uniqueId)) {
            return own;
        }
        List<Ranked> kept = new ArrayList<Ranked>(node.getChildren().size());
        boolean asFound = true;
        int last = -1;
        for (TestDescriptor child : new ArrayList<TestDescriptor>(node.getChildren())) {
            Integer rank = arrange(child);
            if (rank == null) {
                node.removeChild(child);
                continue;
            }
            asFound &= last < rank;
            last = rank;
            kept.add(new Ranked(child, rank));
        }
        if (!asFound) {
            Collections.sort(kept, Ranked.BY_RANK);
            for (Ranked child : kept) {
                node.removeChild(child.descriptor);
                node.addChild(child.descriptor);
            }
        }
        return kept.isEmpty() ? null : Integer.valueOf(kept.get(0).rank);
    }

    private static final class Ranked {
        static final Comparator<Ranked> BY_RANK =
                new Comparator<Ranked>() {
                    @Override
                    public int compare(Ranked one, Ranked other) {
                        return Integer.compare(one.rank, other.rank);
                    }
                };

        final TestDescriptor descriptor;
        final int rank;

        Ranked(TestDescriptor descriptor, int rank) {
            this.descriptor = descriptor;
            this.rank = rank;
        }
    }
}
