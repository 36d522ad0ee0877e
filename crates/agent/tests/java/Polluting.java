import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** What tests leave changed; see pollution.rs. */
final class Polluting {
    static final class Node {
        final String name;
        Node next;
        int weight;

        Node(String name) {
            this.name = name;
        }
    }

    static final Map<String, Node> REGISTRY = new HashMap<>();
    static final List<String> NAMES = new ArrayList<>();
    static final Map<String, Integer> COUNTS = new ConcurrentHashMap<>();
    static final Map<Object, String> BY_IDENTITY = new IdentityHashMap<>();
    static final Map<String, String> ORDERED = new LinkedHashMap<>();
    static final Map<String, String> SORTED = new TreeMap<>();
    static final Set<Integer> NUMBERS = new HashSet<>();
    static final int[] LARGE = new int[200_000];
    static Map<String, String> replaced = new HashMap<>();
    static Node circle = circle("a", "b");
    static Node alias = circle;
    static int counter;

    private static Node circle(String first, String second) {
        Node one = new Node(first);
        one.next = new Node(second);
        one.next.next = one;
        return one;
    }

    static void before() {
        ORDERED.put("a", "1");
        ORDERED.put("b", "2");
        SORTED.put("k", "v");
        NAMES.add("zero");
    }

    // Polluting.REGISTRY["x"]: nothing -> Polluting$Node
    static void t0() {
        REGISTRY.put("x", new Node("x"));
    }

    static void t1() {
        REGISTRY.put("y", new Node("y"));
        REGISTRY.remove("y");
        NAMES.add("more");
        NAMES.remove(1);
        COUNTS.put("n", 1);
        COUNTS.clear();
        NUMBERS.add(3);
        NUMBERS.remove(3);
        counter = 5;
        counter = 0;
    }

    static void t2() {
        replaced = new HashMap<>(1000);
    }

    // Polluting.replaced["k"]: nothing -> "v"
    static void t3() {
        replaced.put("k", "v");
    }

    static void t4() {
        replaced = new HashMap<>();
        for (int i = 0; i < 100; i++) {
            replaced.put("i" + i, "");
        }
        for (int i = 0; i < 100; i++) {
            replaced.remove("i" + i);
        }
        replaced.put("k", "v");
    }

    // The old circle can still be reached.
    // Polluting.circle: Polluting$Node -> Polluting$Node
    static void t5() {
        circle = circle("a", "b");
    }

    static void t6() {
        circle = circle("a", "b");
    }

    // Polluting.circle: Polluting$Node -> Polluting$Node
    static void t7() {
        circle = circle("a", "c");
    }

    // Polluting.circle.next.weight: 0 -> 7
    // Polluting.LARGE[150000]: 0 -> 1
    static void t8() {
        circle.next.weight = 7;
        LARGE[150_000] = 1;
        LARGE[3] = 1;
        LARGE[3] = 0;
    }

    // Polluting.REGISTRY["x"].weight: 0 -> 1
    static void t9() {
        for (int i = 0; i < 100; i++) {
            REGISTRY.put("i" + i, null);
        }
        for (int i = 0; i < 100; i++) {
            REGISTRY.remove("i" + i);
        }
        REGISTRY.get("x").weight = 1;
    }

    // Polluting.ORDERED (order of entries): nothing -> nothing
    // Polluting.SORTED["k"]: "v" -> "w"
    static void t10() {
        ORDERED.put("a", ORDERED.remove("a"));
        SORTED.put("k", "w");
    }

    // Locale.defaultLocale: java.util.Locale -> java.util.Locale
    // Locale.defaultDisplayLocale: null -> java.util.Locale
    // Locale.defaultFormatLocale: null -> java.util.Locale
    static void t11() {
        Locale.setDefault(Locale.CANADA_FRENCH);
    }

    static void t12() {
        Locale.setDefault(new Locale("fr", "CA"));
    }

    // System.props.map["polluting.key"]: nothing -> "on"
    static void t13() {
        System.setProperty("polluting.key", "on");
    }

    // Polluting.REGISTRY["x"].weight: 1 -> 2
    static void t14() {
        REGISTRY.get("x").weight = 2;
    }

    static final class Late {
        static int touched;
        static final List<String> LOG = new ArrayList<>();
    }

    // What it held before is not known: its class was not there.
    // loaded Polluting$Late.touched: nothing -> 1
    // loaded Polluting$Late.LOG[0]: nothing -> "one"
    static void t15() {
        Late.touched = 1;
        Late.LOG.add("one");
    }

    // Polluting$Late.touched: 1 -> 2
    // Polluting$Late.LOG[1]: nothing -> "two"
    static void t16() {
        Late.touched = 2;
        Late.LOG.add("two");
    }
}
