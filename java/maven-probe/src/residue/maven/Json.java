package residue.maven;

import java.util.Iterator;
import java.util.Map;

/** Writes maps, iterables, booleans, numbers and texts as JSON on one line. */
final class Json {
    private final StringBuilder out = new StringBuilder();

    private Json() {}

    static String write(Object value) {
        Json json = new Json();
        json.value(value);
        return json.out.toString();
    }

    private void value(Object value) {
        if (value == null || value instanceof Boolean || value instanceof Number) {
            out.append(value);
        } else if (value instanceof Map) {
            object((Map<?, ?>) value);
        } else if (value instanceof Iterable) {
            array((Iterable<?>) value);
        } else {
            text(value.toString());
        }
    }

    private void object(Map<?, ?> map) {
        out.append('{');
        for (Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator(); entries.hasNext(); ) {
            Map.Entry<?, ?> entry = entries.next();
            text(String.valueOf(entry.getKey()));
            out.append(':');
            value(entry.getValue());
            if (entries.hasNext()) {
                out.append(',');
            }
        }
        out.append('}');
    }

    private void array(Iterable<?> values) {
        out.append('[');
        for (Iterator<?> iterator = values.iterator(); iterator.hasNext(); ) {
            value(iterator.next());
            if (iterator.hasNext()) {
                out.append(',');
            }
        }
        out.append(']');
    }

    private void text(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                // Escaped surrogates stay pairs, and a lone one does not break the encoding.
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
