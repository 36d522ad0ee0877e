package residue.runner.platform;

import java.io.UnsupportedEncodingException;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the text of unique ids, {@code [type:value]/[type:value]}. The platform percent-encodes
 * brackets, colons and slashes inside types and values, so these separate.
 */
final class UniqueIds {
    private UniqueIds() {}

    /** The unique ids on the way from the engine to this one, which comes last. */
    static List<String> path(String uniqueId) {
        List<String> path = new ArrayList<String>();
        int end = uniqueId.indexOf("]/[");
        while (end >= 0) {
            path.add(uniqueId.substring(0, end + 1));
            end = uniqueId.indexOf("]/[", end + 1);
        }
        path.add(uniqueId);
        return path;
    }

    static boolean isBelow(String uniqueId, String container) {
        return uniqueId.length() > container.length()
                && uniqueId.startsWith(container)
                && uniqueId.charAt(container.length()) == '/';
    }

    static String engineId(String uniqueId) {
        int end = uniqueId.indexOf(']');
        return decoded(uniqueId.substring(uniqueId.indexOf(':') + 1, end));
    }

    /** The value of the last segment as the engine wrote it. */
    static String lastValue(String uniqueId) {
        int start = uniqueId.indexOf(':', uniqueId.lastIndexOf('[')) + 1;
        return decoded(uniqueId.substring(start, uniqueId.length() - 1));
    }

    /** The {@code n} of a last segment {@code [type:#n]}, by which Jupiter counts invocations; else -1. */
    static int invocation(String uniqueId) {
        String value = lastValue(uniqueId);
        return value.startsWith("#") ? number(value.substring(1)) : -1;
    }

    /** The number that this text is, or -1. */
    static int number(String text) {
        if (text.isEmpty() || text.length() > 9) {
            return -1;
        }
        int number = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            number = number * 10 + (c - '0');
        }
        return number;
    }

    private static String decoded(String text) {
        if (text.indexOf('%') < 0 && text.indexOf('+') < 0) {
            return text;
        }
        try {
            return URLDecoder.decode(text, "UTF-8");
        } catch (UnsupportedEncodingException | IllegalArgumentException undecodable) {
            return text;
        }
    }
}
