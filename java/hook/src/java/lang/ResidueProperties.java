package java.lang;

import static java.lang.ResidueNative.U;

import jdk.internal.vm.annotation.DontInline;

/**
 * System properties as locations of their own, one for each key. They are kept in a hash table, where
 * keys that have nothing to do with each other share places; the host leaves that table out.
 *
 * <p>The slot of a property is an array of one element that holds what the property held when the
 * current epoch began, null if there was none. It is old from the start and touched when {@link
 * java.util.Properties} is asked for the key. What came into the table in any other way, through a
 * view say, is found when the epoch ends.
 */
final class ResidueProperties {
    /** In place of a key: the slot that says how many properties there are. */
    private static final String LISTING = "";

    /** Keys at even places, each followed by its slot. Grows under the lock, is read without it. */
    private static Object[] table = new Object[1 << 9];

    private static int slots;
    /** By half the place of the key: when the property was last seen in the table. */
    private static int[] seen = new int[1 << 8];

    private static int looks;
    /** Where System keeps the properties, and its location; 0 if that is not tracked. */
    private static long place;

    private static int cell;

    private ResidueProperties() {}

    static void read(Object properties, Object key) {
        if (isWatched(properties) && key instanceof String) {
            touch(slot((String) key), false);
        }
    }

    /** The property gets another value, or its first. Whoever does that is told the one before. */
    static void written(Object properties, Object key) {
        if (isWatched(properties) && key instanceof String) {
            Object[] slot = slot((String) key);
            if (slot[0] == null) {
                touch(slot(LISTING), true);
            }
            touch(slot, false);
            touch(slot, true);
        }
    }

    /** The same, or the property is gone afterwards. */
    static void writtenOrRemoved(Object properties, Object key) {
        if (isWatched(properties) && key instanceof String) {
            touch(slot(LISTING), true);
            written(properties, key);
        }
    }

    static void counted(Object properties) {
        if (isWatched(properties)) {
            touch(slot(LISTING), false);
        }
    }

    static void allRead(Object properties) {
        if (isWatched(properties)) {
            touch(slot(LISTING), false);
            touchAll(false);
        }
    }

    /** What stays as it was is no write in the end. */
    static void allWritten(Object properties) {
        if (isWatched(properties)) {
            touch(slot(LISTING), true);
            touchAll(true);
        }
    }

    private static boolean isWatched(Object properties) {
        return ResidueCells.now >= 0
                && place != 0
                && properties == ResidueReferences.get(System.class, (int) place);
    }

    private static void touchAll(boolean writes) {
        Object[] all = table;
        for (int at = 0; at < all.length; at += 2) {
            Object[] slot = (Object[]) all[at + 1];
            if (slot != null && slot[0] != null && all[at] != LISTING) {
                touch(slot, writes);
            }
        }
    }

    private static void touch(Object[] slot, boolean writes) {
        int id = ResidueMark.id(slot);
        if (id == 0) {
            return;
        }
        int cell = id + ResidueCells.ARRAY_HEADER;
        if (!writes) {
            ResidueCells.read(id, cell);
        } else if (!ResidueCells.isWritten(cell) && ResidueCells.write(cell)) {
            // No entry in the undo log: pollution looks at the table itself.
            long offset = ResidueClasses.elementOffset(ResidueClasses.recordOf(id), 0);
            ResidueValues.old(slot, id, cell, 'L', offset);
        }
    }

    /** The location of a property; 0 if nobody has asked for it. */
    static int cellOf(Object key) {
        Object slot = key instanceof String ? table[find(table, (String) key) + 1] : null;
        return slot == null ? 0 : ResidueMark.id(slot) + ResidueCells.ARRAY_HEADER;
    }

    /** Whether this is where system properties are. */
    static boolean isTable(Object map) {
        return map != null && map == map();
    }

    private static Object[] slot(String key) {
        Object[] in = table;
        Object slot = in[find(in, key) + 1];
        return slot == null ? makeSlot(key, null) : (Object[]) slot;
    }

    /** The place of a key, or that where it belongs. */
    private static int find(Object[] in, String key) {
        int at = (key.hashCode() * 0x9E3779B9 >>> 7) << 1;
        while (true) {
            int place = at & in.length - 2;
            if (in[place] == null || key.equals(in[place])) {
                return place;
            }
            at += 2;
        }
    }

    /** A property that nobody has asked for before. */
    @DontInline
    private static Object[] makeSlot(String key, Object value) {
        ResidueNative.lock();
        try {
            int at = find(table, key);
            if (table[at] != null) {
                return (Object[]) table[at + 1];
            }
            if (4 * ++slots > table.length) {
                grow();
                at = find(table, key);
            }
            Object[] slot = {value};
            // No test has made it: that there is nothing under a key is there for everyone.
            ResidueAdoption.begin(0);
            ResidueAdoption.adopt(slot, cell);
            ResidueAdoption.drain();
            ResidueNative.propertyKey(ResidueMark.id(slot), key);
            table[at + 1] = slot;
            U.storeFence();
            table[at] = key;
            return slot;
        } finally {
            ResidueNative.unlock();
        }
    }

    private static void grow() {
        Object[] more = new Object[table.length * 2];
        int[] moreSeen = new int[table.length];
        for (int at = 0; at < table.length; at += 2) {
            if (table[at] != null) {
                int to = find(more, (String) table[at]);
                more[to] = table[at];
                more[to + 1] = table[at + 1];
                moreSeen[to >>> 1] = seen[at >>> 1];
            }
        }
        seen = moreSeen;
        U.storeFence();
        table = more;
    }

    /**
     * An epoch ends: slots get what properties hold now. Comes before anything else that ends it, so
     * that what turns out to have changed still counts for it.
     */
    static void settle() {
        if (place == 0) {
            int slot = ResidueNative.slotOf(ResidueClasses.id(System.class), "props", true);
            int statics = ResidueMark.id(System.class);
            if (statics != 0 && slot >= 0) {
                cell = statics + ResidueCells.HEADER + slot;
                place = ResidueClasses.slotPlace(statics, slot);
            }
        }
        Object map = map();
        ResidueElements now =
                map == null
                        ? null
                        : ResidueContents.elements(map, ResidueContents.CONCURRENT_HASH_MAP, false);
        if (now == null || isBeingMoved(now)) {
            return;
        }
        looks++;
        boolean isFirst = looks == 1;
        for (int i = 0; i < now.size(); i++) {
            if (now.key(i) instanceof String) {
                String key = (String) now.key(i);
                Object[] slot = isFirst ? makeSlot(key, now.value(i)) : slot(key);
                put(slot, now.value(i));
                seen[find(table, key) >>> 1] = looks;
            }
        }
        for (int at = 0; at < table.length; at += 2) {
            if (table[at] != null && table[at] != LISTING && seen[at >>> 1] != looks) {
                put((Object[]) table[at + 1], null);
            }
        }
        Object[] listing = isFirst ? makeSlot(LISTING, now.size()) : slot(LISTING);
        if (!((Integer) now.size()).equals(listing[0])) {
            put(listing, now.size());
        }
    }

    /** Whether somebody moves the properties to a larger table just now. */
    private static boolean isBeingMoved(ResidueElements elements) {
        for (int i = 0; i < elements.size(); i++) {
            if (elements.key(i) == null) {
                return true;
            }
        }
        return false;
    }

    private static void put(Object[] slot, Object value) {
        if (slot[0] != value) {
            touch(slot, true);
            slot[0] = value;
        }
    }

    private static Object map() {
        Object properties =
                place == 0 ? null : ResidueReferences.get(System.class, (int) place);
        return properties == null ? null : ResidueContents.field(properties, "map", false);
    }
}
