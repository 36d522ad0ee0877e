import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

final class Collections {
    static final Map<String, StringBuilder> MAP = new HashMap<>();
    static final List<String> LIST = new ArrayList<>();
    static final Map<String, Integer> SHARED = new ConcurrentHashMap<>();
    static Map<String, String> cache;

    // R Collections.MAP -> HashMap.size
    // R Collections.MAP -> HashMap.table
    // R Collections.MAP -> HashMap.threshold
    // W Collections.MAP -> HashMap.size: 0 -> 1
    // W Collections.MAP -> HashMap.table: null -> HashMap$Node[]
    // W Collections.MAP -> HashMap.threshold: 0 -> 12
    static void t0() {
        MAP.put("k", new StringBuilder("x"));
    }

    // R Collections.MAP -> HashMap.table
    // R Collections.MAP -> HashMap.table[11]
    // R Collections.MAP -> HashMap.table[11] -> HashMap$Node.value
    // R Collections.MAP -> HashMap.table[11] -> HashMap$Node.value -> AbstractStringBuilder.count
    static void t1() {
        Aliasing.require(MAP.get("k").length() == 1);
    }

    // R Collections.MAP -> HashMap.size
    static void t2() {
        Aliasing.require(MAP.size() == 1);
    }

    // R Collections.LIST -> ArrayList.size
    // R Collections.LIST -> ArrayList.elementData
    // W Collections.LIST -> ArrayList.size: 0 -> 1
    // W Collections.LIST -> ArrayList.elementData: Object[] -> Object[]
    static void t3() {
        LIST.add("one");
    }

    // R Collections.LIST -> ArrayList.size
    // R Collections.LIST -> ArrayList.elementData
    // R Collections.LIST -> ArrayList.elementData[0]
    static void t4() {
        Aliasing.require(LIST.get(0).equals("one"));
    }

    // A lazy cache: the first to need it makes it.
    // R Collections.cache
    // W Collections.cache: null -> HashMap
    static void t5() {
        lookUp("a");
    }

    // R Collections.cache
    // R Collections.cache -> HashMap.table
    // R Collections.cache -> HashMap.table[1]
    // R Collections.cache -> HashMap.table[1] -> HashMap$Node.value
    static void t6() {
        lookUp("a");
    }

    private static String lookUp(String key) {
        if (cache == null) {
            cache = new HashMap<>();
            cache.put("a", "A");
        }
        return cache.get(key);
    }
}
