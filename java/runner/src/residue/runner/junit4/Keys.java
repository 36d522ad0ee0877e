package residue.runner.junit4;

import java.util.Map;
import org.junit.runner.Description;

/**
 * What descriptions are told apart by. Old versions count the children, which filtering changes;
 * new ones have unique ids besides the names.
 */
final class Keys {
    private static final boolean CHILDREN_COUNT = childrenCount();

    private Keys() {}

    static Object of(Description description) {
        return CHILDREN_COUNT ? description.getDisplayName() : description;
    }

    /** The value for this description, or the one for its name; null if there is neither. */
    static <T> T find(Map<Object, T> map, Description description) {
        T found = map.get(of(description));
        return found == null ? map.get(description.getDisplayName()) : found;
    }

    private static boolean childrenCount() {
        Description empty = Description.createSuiteDescription("suite");
        Description full = Description.createSuiteDescription("suite");
        full.addChild(Description.createSuiteDescription("child"));
        return !empty.equals(full);
    }
}
