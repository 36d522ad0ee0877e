package java.lang;

import static java.lang.ResidueNative.U;

/**
 * Ids of old objects that already had an identity hash: an open hash table outside the heap, entries
 * {hash, id}. It only grows, and only under the lock of {@link ResidueAdoption}; readers take none.
 *
 * <p>Hashes are not unique. Of several old objects with one hash the first is in the table, which
 * says so by a negative id, and the others carry a tag.
 */
final class ResidueHashes {
    private static final int FIRST_CAPACITY = 1 << 12;
    private static final int START = 16;

    /** The address of {capacity, unused, entries}. Replaced as a whole. */
    private static long table = create(FIRST_CAPACITY);

    private static int used;

    private ResidueHashes() {}

    static int id(Object object, int hash) {
        long entry = find(table, hash);
        int id = U.getInt(entry + 4);
        if (id >= 0) {
            return U.getInt(entry) == hash ? id : 0;
        }
        int tag = ResidueNative.tag(object);
        return tag != 0 ? tag : -id;
    }

    static void put(Object object, int hash, int id) {
        long entry = find(table, hash);
        int other = U.getInt(entry + 4);
        if (other == 0) {
            U.putInt(entry + 4, id);
            U.putIntVolatile(null, entry, hash);
            used++;
            if (used * 2 > U.getInt(table)) {
                grow();
            }
        } else {
            ResidueNative.setTag(object, id);
            U.putInt(entry + 4, other < 0 ? other : -other);
        }
    }

    /** The entry of this hash, or the free one where it would be. */
    private static long find(long where, int hash) {
        int mask = U.getInt(where) - 1;
        int at = hash * 0x9E3779B9 >>> 7;
        while (true) {
            long entry = where + START + ((long) (at & mask) << 3);
            int key = U.getInt(entry);
            if (key == hash || key == 0) {
                return entry;
            }
            at++;
        }
    }

    private static void grow() {
        int capacity = U.getInt(table);
        long larger = create(capacity * 2);
        for (int i = 0; i < capacity; i++) {
            long entry = table + START + ((long) i << 3);
            int hash = U.getInt(entry);
            if (hash != 0) {
                long copy = find(larger, hash);
                U.putInt(copy, hash);
                U.putInt(copy + 4, U.getInt(entry + 4));
            }
        }
        U.storeFence();
        table = larger;
    }

    private static long create(int capacity) {
        long created = ResidueNative.allocate(START + ((long) capacity << 3));
        U.putInt(created, capacity);
        return created;
    }
}
