package residue.runner.junit4;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import residue.runner.Item;

/**
 * Cuts the tests of a group where a container that keeps its own order, such as a JUnit 3 class
 * within a suite, would have to go back. A cut depends on the tests before it alone, so an order
 * and a prefix of it are cut alike.
 */
final class Stretches {
    /** The containers on the way to a test, with its place in each. */
    private static final class Way {
        final Item item;
        final Map<TestNode, Integer> places;

        Way(Item item, Map<TestNode, Integer> places) {
            this.item = item;
            this.places = places;
        }
    }

    private final SortedMap<Integer, Way> inWantedOrder = new TreeMap<Integer, Way>();

    private Stretches(TestNode root) {
        collect(root, new HashMap<TestNode, Integer>());
    }

    /** @param stubborn the containers that keep their own order */
    static List<List<Item>> of(TestNode root, Set<TestNode> stubborn) {
        Stretches stretches = new Stretches(root);
        List<List<Item>> cut = stretches.cut(stubborn);
        return cut.size() > 1 ? cut : stretches.cut(null);
    }

    private void collect(TestNode node, Map<TestNode, Integer> above) {
        if (node.item != null) {
            inWantedOrder.put(node.item.index, new Way(node.item, above));
            return;
        }
        for (int place = 0; place < node.children.size(); place++) {
            Map<TestNode, Integer> places = new HashMap<TestNode, Integer>(above);
            places.put(node, place);
            collect(node.children.get(place), places);
        }
    }

    /** @param stubborn null for all containers */
    private List<List<Item>> cut(Set<TestNode> stubborn) {
        List<List<Item>> stretches = new ArrayList<List<Item>>();
        Map<TestNode, Integer> reached = new HashMap<TestNode, Integer>();
        for (Way way : inWantedOrder.values()) {
            if (stretches.isEmpty() || goesBack(way, reached, stubborn)) {
                stretches.add(new ArrayList<Item>());
                reached.clear();
            }
            stretches.get(stretches.size() - 1).add(way.item);
            reached.putAll(way.places);
        }
        return stretches;
    }

    private static boolean goesBack(Way way, Map<TestNode, Integer> reached, Set<TestNode> stubborn) {
        for (Map.Entry<TestNode, Integer> place : way.places.entrySet()) {
            Integer last = reached.get(place.getKey());
            boolean keepsOrder = stubborn == null || stubborn.contains(place.getKey());
            if (keepsOrder && last != null && place.getValue() < last) {
                return true;
            }
        }
        return false;
    }
}
