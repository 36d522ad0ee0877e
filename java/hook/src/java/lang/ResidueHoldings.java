package java.lang;

import static java.lang.ResidueNative.U;

/**
 * Tells the agent what is in the objects that an epoch made and left behind, so that two runs can be
 * compared by content. Objects are remembered as they are adopted, and told when all that they refer
 * to has an id. Runs only under the lock of {@link ResidueNative}.
 *
 * <p>What is not told is unknown, which costs runs later, but is never wrong.
 */
final class ResidueHoldings {
    /** Slots that are told of one epoch. */
    private static final int MOST_SLOTS = 1 << 16;

    /** Elements of an array with an entry each; further ones are told in blocks that double in size. */
    private static final int SINGLE_ELEMENTS = 64;

    private static final int MOST_REFERENCES = 4096;

    // An entry: cell, kind, bits, class.
    private static final int ENTRY_BYTES = 24;
    private static final int ENTRIES = 4096;
    private static final int FIXED = 1 << 8;

    private static long buffer;
    private static int entries;

    private static Object[] objects = new Object[256];
    private static int[] ids = new int[256];
    private static int count;
    private static int slots;

    private ResidueHoldings() {}

    static void made(Object object, int id, int size) {
        if (size > MOST_SLOTS - slots) {
            return;
        }
        slots += size;
        if (count == objects.length) {
            grow();
        }
        objects[count] = object;
        ids[count] = id;
        count++;
    }

    private static void grow() {
        Object[] moreObjects = new Object[count * 2];
        int[] moreIds = new int[count * 2];
        System.arraycopy(objects, 0, moreObjects, 0, count);
        System.arraycopy(ids, 0, moreIds, 0, count);
        objects = moreObjects;
        ids = moreIds;
    }

    static void tell() {
        for (int i = 0; i < count; i++) {
            tell(objects[i], ids[i]);
            objects[i] = null;
        }
        send();
        count = 0;
        slots = 0;
    }

    private static void tell(Object object, int id) {
        long record = ResidueClasses.recordOf(id);
        int kind = ResidueClasses.kind(record);
        if (kind == ResidueClasses.REFERENCE_ARRAY) {
            references((Object[]) object, id + ResidueCells.ARRAY_HEADER);
        } else if (kind == ResidueClasses.PRIMITIVE_ARRAY) {
            primitives(object, record, id + ResidueCells.ARRAY_HEADER);
        } else {
            fields(object, id, ResidueClasses.slots(record));
        }
    }

    private static void fields(Object object, int id, int count) {
        for (int slot = 0; slot < count; slot++) {
            long place = ResidueClasses.slotPlace(id, slot);
            if (place != 0) {
                int fixed = ResidueClasses.isTracked(place) ? 0 : FIXED;
                int cell = id + ResidueCells.HEADER + slot;
                slot(cell, fixed, object, ResidueClasses.type(place), (int) place);
            }
        }
    }

    private static void references(Object[] array, int cell) {
        if (array.length <= MOST_REFERENCES) {
            for (int i = 0; i < array.length; i++) {
                reference(cell + i, 0, array[i]);
            }
        }
    }

    private static void primitives(Object array, long record, int cell) {
        int length = ResidueClasses.length(array);
        if (ResidueCells.shift(length) != 0) {
            return;
        }
        char type = ResidueClasses.elementType(record);
        int single = length < SINGLE_ELEMENTS ? length : SINGLE_ELEMENTS;
        for (int i = 0; i < single; i++) {
            slot(cell + i, 0, array, type, ResidueClasses.elementOffset(record, i));
        }
        for (int from = SINGLE_ELEMENTS; from < length; from *= 2) {
            int to = length < from * 2 ? length : from * 2;
            long digest = to;
            for (int i = from; i < to; i++) {
                long offset = ResidueClasses.elementOffset(record, i);
                digest = ResidueDigest.mix(digest, ResidueValues.primitive(type, array, offset));
            }
            put(cell + from, ResidueDigest.DIGEST, digest, 0);
        }
    }

    /** What a location holds that was written, where the value alone does not tell. */
    static void written(int cell, Object value) {
        if (!ResidueDigest.isSimple(value)) {
            reference(cell, 0, value);
        }
    }

    private static void slot(int cell, int fixed, Object holder, char type, long offset) {
        if (type == 'L') {
            reference(cell, fixed, ResidueReferences.get(holder, offset));
        } else {
            long bits = ResidueValues.primitive(type, holder, offset);
            put(cell, ResidueValues.primitiveKind(type) | fixed, bits, 0);
        }
    }

    private static void reference(int cell, int fixed, Object value) {
        int kind = ResidueDigest.kind(value);
        int type = kind == ResidueDigest.VALUE ? ResidueClasses.id(value.getClass()) : 0;
        // What never leaves its field is a lock.
        boolean isLock = fixed != 0 && type != 0 && value.getClass() == Object.class;
        put(cell, kind | fixed, isLock ? 1 : ResidueDigest.bits(kind, value), type);
    }

    private static void put(int cell, int kind, long bits, int type) {
        if (buffer == 0) {
            buffer = ResidueNative.allocate(ENTRIES * ENTRY_BYTES);
            if (buffer == 0) {
                return;
            }
        }
        if (entries == ENTRIES) {
            send();
        }
        long entry = buffer + entries * ENTRY_BYTES;
        U.putInt(entry, cell);
        U.putInt(entry + 4, kind);
        U.putLong(null, entry + 8, bits);
        U.putInt(entry + 16, type);
        entries++;
    }

    private static void send() {
        if (entries != 0) {
            ResidueNative.holdings(buffer, entries);
            entries = 0;
        }
    }

    /** After a failure nothing may stay behind that keeps objects alive. */
    static void forget() {
        objects = new Object[16];
        ids = new int[16];
        count = 0;
    }
}
