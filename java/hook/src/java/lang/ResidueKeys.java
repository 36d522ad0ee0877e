package java.lang;

/** Finds keys of a map by what they are: values by their content, other objects by themselves. */
final class ResidueKeys {
    private final ResidueElements elements;
    private final int[] index;
    private final boolean[] taken;

    ResidueKeys(ResidueElements elements) {
        this.elements = elements;
        int size = 16;
        while (size < 2 * elements.size()) {
            size <<= 1;
        }
        index = new int[size];
        taken = new boolean[elements.size()];
        for (int i = 0; i < elements.size(); i++) {
            int at = hash(elements.key(i));
            while (index[at & size - 1] != 0) {
                at++;
            }
            index[at & size - 1] = i + 1;
        }
    }

    /** Takes the entry with this key and returns where it is; -1 if there is none. */
    int take(Object key) {
        for (int at = hash(key); index[at & index.length - 1] != 0; at++) {
            int entry = index[at & index.length - 1] - 1;
            if (!taken[entry] && isSame(key, elements.key(entry))) {
                taken[entry] = true;
                return entry;
            }
        }
        return -1;
    }

    void take(int entry) {
        taken[entry] = true;
    }

    boolean isTaken(int entry) {
        return taken[entry];
    }

    /** Whether a key can be found only by its content or as itself. */
    static boolean isValue(Object key) {
        return ResidueValues.kind(key) != ResidueValues.OBJECT;
    }

    private static boolean isSame(Object key, Object other) {
        if (key == other) {
            return true;
        }
        if (key == null || other == null || key.getClass() != other.getClass()) {
            return false;
        }
        int kind = ResidueValues.kind(key);
        if (kind == ResidueValues.TEXT) {
            return key.equals(other);
        }
        boolean byIdentity =
                kind == ResidueValues.OBJECT
                        || kind == ResidueValues.CONSTANT
                        || kind == ResidueValues.TYPE;
        return !byIdentity && ResidueValues.bits(kind, key) == ResidueValues.bits(kind, other);
    }

    private static int hash(Object key) {
        int kind = ResidueValues.kind(key);
        long bits = kind == ResidueValues.TEXT ? key.hashCode() : ResidueValues.bits(kind, key);
        if (kind == ResidueValues.CONSTANT) {
            bits += ((Enum<?>) key).ordinal();
        }
        return (int) (bits ^ bits >>> 32) * 0x9E3779B9 >>> 7;
    }
}
