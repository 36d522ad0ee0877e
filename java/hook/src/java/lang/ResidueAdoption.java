package java.lang;

import static java.lang.ResidueNative.U;

/**
 * Makes old what can be reached from what is old. Runs only under the lock of {@link ResidueNative},
 * with a work list of its own; an object enters it at most once, since it is old by then.
 */
final class ResidueAdoption {
    /** Elements of an array that are looked at before their own contents are. */
    private static final int STRETCH = 1024;

    private static Object[] objects = new Object[1024];
    private static int[] ids = new int[1024];
    private static int[] starts = new int[1024];
    private static int waiting;

    private static int creator;

    private ResidueAdoption() {}

    /** What is adopted from here on was made by this epoch. */
    static void begin(int epoch) {
        creator = epoch;
    }

    /** Adopts an object, or leaves it alone if it is null, a value or old already. */
    static void adopt(Object object, int parent) {
        if (object == null) {
            return;
        }
        long mark = U.getLong(object, 0L);
        if ((mark & ResidueMark.MASK) != ResidueMark.YOUNG && ResidueMark.id(object, mark) != 0) {
            return;
        }
        long record = ResidueClasses.of(object.getClass());
        int kind = ResidueClasses.kind(record);
        if (kind <= ResidueClasses.VALUE) {
            return;
        }
        int id = ResidueClasses.isArray(record) ? arrayCells(object) : objectCells(record);
        if (id == 0) {
            return;
        }
        if (creator != 0) {
            ResidueHoldings.made(object, id, size(object, record));
        }
        ResidueCells.put(id + ResidueCells.CLASS, ResidueClasses.number(record));
        ResidueCells.put(id + ResidueCells.PARENT, parent);
        ResidueCells.put(id + ResidueCells.CREATOR, creator);
        U.storeFence();
        if (!ResidueMark.makeOld(object, id)) {
            ResidueMark.pending++;
            ResidueNative.pending(object, id);
        }
        if (kind == ResidueClasses.REFERENCE_ARRAY || ResidueClasses.references(record) != 0) {
            push(object, id, 0);
        }
    }

    private static int size(Object object, long record) {
        return ResidueClasses.isArray(record)
                ? ResidueClasses.length(object)
                : ResidueClasses.slots(record);
    }

    private static int objectCells(long record) {
        return ResidueCells.allocate(ResidueCells.HEADER + ResidueClasses.slots(record));
    }

    private static int arrayCells(Object array) {
        int length = ResidueClasses.length(array);
        int shift = ResidueCells.shift(length);
        int slots = length == 0 ? 0 : (length - 1 >>> shift) + 1;
        int id = ResidueCells.allocate(ResidueCells.ARRAY_HEADER + slots);
        if (id != 0) {
            ResidueCells.put(id + ResidueCells.LENGTH, length);
        }
        return id;
    }

    /** Adopts what the statics of a class refer to. */
    static void adoptStatics(Class<?> type) {
        long record = ResidueClasses.of(type);
        long references = ResidueClasses.staticReferences(record);
        if (references != 0) {
            adoptReferences(type, ResidueClasses.statics(record), references);
        }
    }

    private static void adoptReferences(Object holder, int id, long references) {
        int count = U.getInt(references);
        for (int i = 0; i < count; i++) {
            long entry = references + 8 + 8L * i;
            Object value = ResidueReferences.get(holder, U.getInt(entry));
            adopt(value, id + ResidueCells.HEADER + U.getInt(entry + 4));
        }
    }

    /** Looks at all that was adopted until nothing new turns up. */
    static void drain() {
        while (waiting > 0) {
            waiting--;
            Object object = objects[waiting];
            objects[waiting] = null;
            int id = ids[waiting];
            long record = ResidueClasses.recordOf(id);
            if (ResidueClasses.isArray(record)) {
                adoptElements(object, id, starts[waiting], STRETCH);
            } else {
                adoptReferences(object, id, ResidueClasses.references(record));
            }
        }
    }

    private static void adoptElements(Object array, int id, int from, int most) {
        Object[] elements = (Object[]) array;
        int length = elements.length;
        int to = length - from > most ? from + most : length;
        if (to < length) {
            push(array, id, to);
        }
        adoptRange(elements, id, from, to);
    }

    /** Adopts what a range of an old array refers to. */
    static void adoptRange(Object[] elements, int id, int from, int to) {
        int shift = ResidueCells.shift(elements.length);
        for (int i = from; i < to; i++) {
            adopt(elements[i], id + ResidueCells.ARRAY_HEADER + (i >>> shift));
        }
    }

    private static void push(Object object, int id, int start) {
        if (waiting == objects.length) {
            grow();
        }
        objects[waiting] = object;
        ids[waiting] = id;
        starts[waiting] = start;
        waiting++;
    }

    private static void grow() {
        int length = objects.length;
        Object[] moreObjects = new Object[length * 2];
        int[] moreIds = new int[length * 2];
        int[] moreStarts = new int[length * 2];
        System.arraycopy(objects, 0, moreObjects, 0, length);
        System.arraycopy(ids, 0, moreIds, 0, length);
        System.arraycopy(starts, 0, moreStarts, 0, length);
        objects = moreObjects;
        ids = moreIds;
        starts = moreStarts;
    }

    /** After a failure nothing may stay behind that keeps objects alive. */
    static void forget() {
        objects = new Object[16];
        ids = new int[16];
        starts = new int[16];
        waiting = 0;
    }
}
