package residue.runner;

import java.util.HashMap;
import java.util.Map;

/**
 * Builds test ids. One instance covers one scope within which ids must differ: the tests that one
 * selected class, suite method or launcher request yields.
 */
public final class TestIds {
    private final Map<String, Integer> seen = new HashMap<String, Integer>();

    /** The id of all that a class runs, where the framework cannot run less. */
    public static String wholeClass(String className) {
        return className + "#*";
    }

    /** {@code pkg.Class#method}; further bracketed parts are appended by the caller. */
    public static String of(String className, String method) {
        String cleanMethod = method == null ? "" : printable(method, false);
        if (cleanMethod.isEmpty() || cleanMethod.charAt(0) == '[') {
            cleanMethod = "?" + cleanMethod;
        }
        return printable(className, true) + "#" + cleanMethod;
    }

    /** {@code [2]}: the invocation number as the framework counts. */
    public static String index(long number) {
        return "[" + number + "]";
    }

    /** {@code [int,String]}: tells overloaded methods apart. */
    public static String parameters(Class<?>[] types) {
        StringBuilder text = new StringBuilder("[");
        for (int i = 0; i < types.length; i++) {
            if (i > 0) {
                text.append(',');
            }
            text.append(types[i].getSimpleName());
        }
        return text.append(']').toString();
    }

    /** The id itself, or with {@code [~2]}, {@code [~3]} appended if this scope has had it before. */
    public String unique(String id) {
        Integer times = seen.get(id);
        seen.put(id, times == null ? 1 : times + 1);
        return times == null ? id : unique(id + "[~" + (times + 1) + "]");
    }

    /** Ids are one line of a text file, and their class part ends at the first {@code #}. */
    private static String printable(String text, boolean className) {
        StringBuilder replaced = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean bad =
                    Character.isISOControl(c) || className && (c == '#' || Character.isWhitespace(c));
            if (bad) {
                if (replaced == null) {
                    replaced = new StringBuilder(text);
                }
                replaced.setCharAt(i, '_');
            }
        }
        return replaced == null ? text : replaced.toString();
    }
}
