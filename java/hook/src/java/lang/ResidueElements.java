package java.lang;

/** Elements of a collection in its order; those of a map with their keys. */
final class ResidueElements {
    private static final int MOST = 1 << 21;

    private Object[] keys = new Object[16];
    private Object[] values = new Object[16];
    private int size;

    void add(Object key, Object value) {
        if (size == keys.length) {
            keys = longer(keys);
            values = longer(values);
        }
        keys[size] = key;
        values[size] = value;
        size++;
    }

    private static Object[] longer(Object[] from) {
        Object[] to = new Object[from.length * 2];
        System.arraycopy(from, 0, to, 0, from.length);
        return to;
    }

    /** A chain that seems to have no end is a circle. */
    boolean isFull() {
        return size >= MOST;
    }

    int size() {
        return size;
    }

    Object key(int at) {
        return keys[at];
    }

    Object value(int at) {
        return values[at];
    }
}
