package java.lang;

import static java.lang.ResidueNative.U;

import java.lang.reflect.Array;
import jdk.internal.vm.annotation.DontInline;

/**
 * What adoption and accesses by offset have to know of a class: records outside the heap that the
 * agent fills in when a class is met for the first time.
 */
final class ResidueClasses {
    private static final long RECORDS = ResidueNative.constant(ResidueLimits.CLASSES);
    private static final int RECORD_SHIFT = 6;

    // Kinds of classes.
    static final int VALUE = 1;
    static final int OBJECT = 2;
    static final int PRIMITIVE_ARRAY = 3;
    static final int REFERENCE_ARRAY = 4;

    // Layout of a record.
    private static final int KIND = 0;
    private static final int SLOTS = 4;
    private static final int REFERENCES = 8;
    private static final int SLOT_TABLE = 16;
    private static final int OFFSET_TABLE = 24;
    private static final int STATIC_REFERENCES = 32;
    private static final int STATIC_SLOT_TABLE = 40;
    private static final int STATIC_OFFSET_TABLE = 48;
    private static final int STATICS = 56;

    // Arrays have no slot table, but these in its place: the type of the elements as in descriptors,
    // the number of bits by which an index is shifted to become an offset, the offset of the first.
    private static final int ELEMENT_TYPE = 16;
    private static final int ELEMENT_SHIFT = 18;
    private static final int ELEMENT_BASE = 20;

    private ResidueClasses() {}

    /** The record of an object's class, described on first sight. */
    static long of(Class<?> type) {
        return record(id(type));
    }

    /** The number of a class, described on first sight; 0, a value class, if there is no room. */
    static int id(Class<?> type) {
        int statics = ResidueMark.id(type);
        if (statics == 0) {
            statics = firstSight(type);
        }
        return statics == 0 ? 0 : ResidueCells.get(statics) & ~ResidueCells.STATICS;
    }

    @DontInline
    private static int firstSight(Class<?> type) {
        ResidueNative.lock();
        try {
            int statics = ResidueNative.tag(type);
            if (statics == 0) {
                statics = ResidueNative.describe(type);
            }
            // The class may be locked, so that it cannot be marked now. Then it is met here again.
            if (statics != 0 && ResidueMark.id(type) == 0) {
                ResidueMark.makeOld(type, statics);
            }
            return statics;
        } finally {
            ResidueNative.unlock();
        }
    }

    static long record(int classId) {
        return RECORDS + ((long) classId << RECORD_SHIFT);
    }

    /** The record for an id, whether it stands for an object or for the statics of a class. */
    static long recordOf(int id) {
        return record(ResidueCells.get(id) & ~ResidueCells.STATICS);
    }

    static boolean isStatics(int id) {
        return ResidueCells.get(id) < 0;
    }

    static int kind(long record) {
        return U.getInt(record + KIND);
    }

    static int slots(long record) {
        return U.getInt(record + SLOTS);
    }

    /** Address of {count, then offset and slot of each reference that is followed}. */
    static long references(long record) {
        return U.getLong(record + REFERENCES);
    }

    static long staticReferences(long record) {
        return U.getLong(record + STATIC_REFERENCES);
    }

    /** The id of the class's statics. */
    static int statics(long record) {
        return U.getInt(record + STATICS);
    }

    static int number(long record) {
        return (int) (record - RECORDS >>> RECORD_SHIFT);
    }

    static boolean isArray(long record) {
        return kind(record) >= PRIMITIVE_ARRAY;
    }

    static int elementShift(long record) {
        return U.getByte(record + ELEMENT_SHIFT);
    }

    static long elementOffset(long record, int index) {
        return elementBase(record) + ((long) index << elementShift(record));
    }

    static int elementBase(long record) {
        return U.getInt(record + ELEMENT_BASE);
    }

    static char elementType(long record) {
        return (char) U.getByte(record + ELEMENT_TYPE);
    }

    static int length(Object array) {
        return Array.getLength(array);
    }

    /** Where a slot is: see {@link #type} and {@link #isFollowed}; its low half is the offset. 0 if unknown. */
    static long slotPlace(int id, int slot) {
        long record = recordOf(id);
        return entry(U.getLong(record + (isStatics(id) ? STATIC_SLOT_TABLE : SLOT_TABLE)), slot);
    }

    /** The same for a slot of any object of the class. */
    static long slotPlaceOf(long record, int slot) {
        return entry(U.getLong(record + SLOT_TABLE), slot);
    }

    private static long entry(long table, int slot) {
        return table == 0 || slot < 0 || slot >= U.getInt(table) ? 0 : U.getLong(table + 8 + 8L * slot);
    }

    /** The type of a slot as in descriptors, {@code L} for all references. */
    static char type(long place) {
        return (char) (place >>> 32);
    }

    static boolean isFollowed(long place) {
        return (place >>> 48 & 1) != 0;
    }

    /** Whether accesses to the slot count; if not, it is there only to be followed. */
    static boolean isTracked(long place) {
        return (place >>> 49 & 1) != 0;
    }

    /** Whether an object of the class has a field whose accesses count. A record has none. */
    static boolean canChange(long record) {
        int slots = slots(record);
        for (int slot = 0; slot < slots; slot++) {
            if (isTracked(slotPlaceOf(record, slot))) {
                return true;
            }
        }
        return false;
    }

    /** The slot at an offset of an object (or of the statics of a class), or -1. */
    static int slotAt(int id, long offset) {
        long record = recordOf(id);
        long table = U.getLong(record + (isStatics(id) ? STATIC_OFFSET_TABLE : OFFSET_TABLE));
        if (table == 0 || offset < 0 || offset >= U.getInt(table)) {
            return -1;
        }
        return U.getChar(table + 4 + 2L * offset) - 1;
    }
}
