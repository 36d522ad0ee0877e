package residue.runner.platform;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;

/**
 * What to ask the launcher for so that it discovers the tests of a batch, and which parts of the
 * discovered tree to keep, in which order.
 *
 * <p>Selecting a class is faster than selecting many unique ids, and finds the same descriptors. A
 * container that is to make only some of its invocations has to be selected by their unique ids,
 * and then nothing may select it as a whole.
 */
final class Selection {
    private final Map<String, Integer> ranks = new HashMap<String, Integer>();
    private final Set<String> whole = new HashSet<String>();
    private final Set<String> classes = new LinkedHashSet<String>();
    private final Set<String> uniqueIds = new LinkedHashSet<String>();

    Selection(List<Target> targets) {
        Map<String, Integer> asked = countWhereInOrder(targets);
        Set<String> dividedClasses = new HashSet<String>();
        for (Target target : targets) {
            Locator locator = target.locator;
            if (asked.get(locator.discovered) == locator.siblings) {
                whole.add(locator.discovered);
            } else {
                dividedClasses.add(locator.selectedClass);
            }
        }
        for (Target target : targets) {
            Locator locator = target.locator;
            boolean isWhole = whole.contains(locator.discovered);
            rank(target, isWhole);
            if (!locator.selectedClass.isEmpty() && !dividedClasses.contains(locator.selectedClass)) {
                classes.add(locator.selectedClass);
            } else {
                uniqueIds.add(isWhole ? locator.discovered : locator.uniqueId);
            }
        }
    }

    /** For each discovered node how many of its tests are asked, or -1 if not in its own order. */
    private static Map<String, Integer> countWhereInOrder(List<Target> targets) {
        Map<String, Integer> asked = new HashMap<String, Integer>();
        for (Target target : targets) {
            Integer before = asked.get(target.locator.discovered);
            int count = before == null ? 0 : before;
            boolean inOrder = count == target.locator.place;
            asked.put(target.locator.discovered, inOrder ? count + 1 : -1);
        }
        return asked;
    }

    private void rank(Target target, boolean isWhole) {
        int rank = ranks.size();
        for (String node : target.path) {
            boolean known = node.length() >= target.locator.discovered.length();
            if (known && !ranks.containsKey(node)) {
                ranks.put(node, rank);
            }
            if (isWhole && known) {
                return;
            }
        }
    }

    /** Loads the classes without initialising them, as the launcher would by name. */
    List<DiscoverySelector> selectors() throws ClassNotFoundException {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        List<DiscoverySelector> selectors = new ArrayList<DiscoverySelector>();
        for (String name : classes) {
            selectors.add(DiscoverySelectors.selectClass(Class.forName(name, false, loader)));
        }
        for (String uniqueId : uniqueIds) {
            selectors.add(DiscoverySelectors.selectUniqueId(uniqueId));
        }
        return selectors;
    }

    /** The place of this node in the order; null if nobody asked for it itself. */
    Integer rank(String uniqueId) {
        return ranks.get(uniqueId);
    }

    /** Whether all that is below this node is wanted as the engine has it. */
    boolean isWhole(String uniqueId) {
        return whole.contains(uniqueId);
    }
}
