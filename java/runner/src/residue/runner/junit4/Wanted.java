package residue.runner.junit4;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import residue.runner.Item;

/**
 * The tests of one group, as a tree below one root. Its children stand in the order in which they
 * are to run. A runner enters a container once, so a group never returns to one that it has left.
 */
final class Wanted {
    final Map<String, Wanted> children = new LinkedHashMap<String, Wanted>();
    Item item;
    private Wanted latest;

    /** Adds a test as the last one, unless that takes another group. */
    boolean add(List<String> steps, Item test) {
        if (!canAdd(steps)) {
            return false;
        }
        Wanted node = this;
        for (String step : steps) {
            Wanted child = node.children.get(step);
            if (child == null) {
                child = new Wanted();
                node.children.put(step, child);
                node.latest = child;
            }
            node = child;
        }
        node.item = test;
        return true;
    }

    private boolean canAdd(List<String> steps) {
        Wanted node = this;
        for (String step : steps) {
            if (node.item != null) {
                return false;
            }
            Wanted child = node.children.get(step);
            if (child == null) {
                return true;
            }
            if (child != node.latest) {
                return false;
            }
            node = child;
        }
        return node.item == null && node.children.isEmpty();
    }

    /** All tests from here on down, in their order. */
    List<Item> items() {
        List<Item> items = new ArrayList<Item>();
        collect(items);
        return items;
    }

    private void collect(List<Item> items) {
        if (item != null) {
            items.add(item);
        }
        for (Wanted child : children.values()) {
            child.collect(items);
        }
    }
}
