package java.lang;

import static java.lang.ResidueNative.U;

import jdk.internal.vm.annotation.DontInline;

/**
 * The undo log: what locations held before an epoch, or all epochs of a class, first wrote them.
 * Together with the heap as it is now it gives the heap as it was then.
 *
 * <p>The log is outside the heap, and refers to objects weakly: it keeps nothing alive. There are two
 * of them, so that one can be read while other threads go on. An entry is {holder and index, value,
 * stamp, type}; the index is that of a slot or of an element, the value is bits or a weak reference,
 * and the stamp, written last, says to which capture the entry belongs.
 */
final class ResidueUndo {
    private static final int OFF = 0;
    private static final int PER_CLASS = 2;
    private static final int MODE = (int) ResidueNative.constant(ResidueLimits.UNDO);

    static final boolean IS_ON = MODE != OFF;
    static final boolean IS_PER_CLASS = MODE == PER_CLASS;

    /** In place of an old value that the collector has taken. */
    static final Object GONE = new Object();

    private static final int ENTRIES = 1 << 22;
    private static final int ENTRY_BYTES = 24;
    private static final int VALUE = 8;
    private static final int STAMP = 16;
    private static final int TYPE = 20;

    private static final long LOGS = IS_ON ? ResidueNative.allocate(2L * ENTRIES * ENTRY_BYTES) : 0L;
    private static final long COUNTS = IS_ON ? ResidueNative.allocate(8L) : 0L;

    /** Counts captures. Odd ones write to the second log. */
    private static int stamp = 1;

    /** The capture that is looked at: entry numbers plus 1 by hash, and how many entries there are. */
    private static int[] index;
    private static int looked;
    private static int count;

    private ResidueUndo() {}

    /** A slot is about to be written for the first time in this epoch. */
    @DontInline
    static void slot(Object holder, int id, int slot, char type, long offset) {
        add(holder, id, slot, type, offset);
    }

    /** So is an element, and with it those that share its cell. */
    @DontInline
    static void elements(Object array, int id, int length, int element) {
        long record = ResidueClasses.recordOf(id);
        char type = ResidueClasses.elementType(record);
        int step = 1 << ResidueCells.shift(length);
        int from = element & -step;
        int to = length - from < step ? length : from + step;
        for (int i = from; i < to; i++) {
            add(array, id, i, type, ResidueClasses.elementOffset(record, i));
        }
    }

    private static void add(Object holder, int id, int at, char type, long offset) {
        if (LOGS == 0 || COUNTS == 0) {
            return;
        }
        int capture = stamp;
        int entry = U.getAndAddInt(null, COUNTS + 4 * (capture & 1), 1);
        if (entry < 0 || entry >= ENTRIES) {
            return;
        }
        long address = address(capture, entry);
        long value;
        if (type == 'L') {
            Object old = ResidueReferences.get(holder, offset);
            value = old == null ? 0L : ResidueNative.weak(old);
        } else {
            value = ResidueValues.primitive(type, holder, offset);
        }
        U.putLong(null, address, key(id, at));
        U.putLong(null, address + VALUE, value);
        U.putInt(address + TYPE, type);
        U.putIntRelease(null, address + STAMP, capture);
    }

    /** From here on the next capture is written; the one before can be looked at. Returns its size. */
    static int end() {
        looked = stamp;
        stamp = looked + 1;
        int wanted = COUNTS == 0 ? 0 : U.getInt(COUNTS + 4 * (looked & 1));
        count = wanted < 0 || wanted > ENTRIES ? ENTRIES : wanted;
        if (count < wanted || LOGS == 0) {
            ResidueNative.notCompared("writes of one test beyond what the undo log holds");
        }
        int size = 16;
        while (size < 2 * count) {
            size <<= 1;
        }
        index = new int[size];
        for (int entry = 0; entry < count; entry++) {
            if (isValid(entry)) {
                int at = place(U.getLong(address(looked, entry)));
                // Of several epochs of a class the first knows best.
                if (index[at] == 0) {
                    index[at] = entry + 1;
                }
            }
        }
        return count;
    }

    /** Nothing more is to be asked about the capture that was looked at. */
    static void forget() {
        for (int entry = 0; entry < count; entry++) {
            if (isValid(entry) && type(entry) == 'L') {
                long weak = U.getLong(address(looked, entry) + VALUE);
                if (weak != 0) {
                    ResidueNative.dropWeak(weak);
                }
            }
        }
        if (COUNTS != 0) {
            U.putInt(COUNTS + 4 * (looked & 1), 0);
        }
        count = 0;
        index = null;
    }

    /** The entry of a slot or element, or -1 if it was not written. */
    static int find(int id, int at) {
        return index == null ? -1 : index[place(key(id, at))] - 1;
    }

    private static int place(long key) {
        int mask = index.length - 1;
        int at = (int) (key * 0x9E3779B97F4A7C15L >>> 32);
        while (true) {
            int entry = index[at & mask];
            if (entry == 0 || U.getLong(address(looked, entry - 1)) == key) {
                return at & mask;
            }
            at++;
        }
    }

    private static boolean isValid(int entry) {
        return U.getInt(address(looked, entry) + STAMP) == looked;
    }

    /** Whether the entry is the one that {@link #find} gives for its location. */
    static boolean isFirst(int entry) {
        return isValid(entry) && index[place(U.getLong(address(looked, entry)))] == entry + 1;
    }

    static int id(int entry) {
        return (int) (U.getLong(address(looked, entry)) >>> 32);
    }

    static int at(int entry) {
        return (int) U.getLong(address(looked, entry));
    }

    static char type(int entry) {
        return (char) U.getInt(address(looked, entry) + TYPE);
    }

    static long bits(int entry) {
        return U.getLong(address(looked, entry) + VALUE);
    }

    static Object reference(int entry) {
        long weak = bits(entry);
        if (weak == 0) {
            return null;
        }
        Object object = ResidueNative.strong(weak);
        return object == null ? GONE : object;
    }

    private static long key(int id, int at) {
        return (long) id << 32 | at;
    }

    private static long address(int capture, int entry) {
        return LOGS + ((long) (capture & 1) * ENTRIES + entry) * ENTRY_BYTES;
    }
}
