package java.lang;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Stable;

/**
 * Accesses to objects that may be old and to statics, up to the point where most of them turn out to
 * be repeated. The methods without an annotation are inlined where they are hot.
 *
 * <p>Neither table changes an entry once it is set, so compiled code has the entries as constants,
 * and accesses to ignored fields vanish from it.
 */
final class ResidueAccess {
    /** By field reference: 0 unknown, 1 ignored, otherwise the slot plus 2. */
    @Stable static final char[] SLOTS =
            new char[(int) ResidueNative.constant(ResidueLimits.FIELD_LIMIT)];

    /** By reference of a static field: 0 unknown, 1 ignored, otherwise the cell. */
    @Stable static final int[] STATICS =
            new int[(int) ResidueNative.constant(ResidueLimits.STATIC_LIMIT)];

    private static final int BEFORE_FIRST = ResidueCells.HEADER - 2;

    private ResidueAccess() {}

    static void read(Object object, long mark, int field) {
        int slot = SLOTS[field];
        if (slot <= ResidueLimits.IGNORED && (slot = slot(field)) == ResidueLimits.IGNORED) {
            return;
        }
        int id = ResidueMark.id(object, mark);
        if (id != 0) {
            ResidueCells.read(id, id + BEFORE_FIRST + slot);
        }
    }

    static void write(Object object, long mark, int field) {
        int slot = SLOTS[field];
        if (slot <= ResidueLimits.IGNORED && (slot = slot(field)) == ResidueLimits.IGNORED) {
            return;
        }
        int id = ResidueMark.id(object, mark);
        if (id != 0 && !ResidueCells.isWritten(id + BEFORE_FIRST + slot)) {
            firstWrite(object, id, slot - 2);
        }
    }

    @DontInline
    private static int slot(int field) {
        if (ResidueCells.now < 0) {
            return ResidueLimits.IGNORED;
        }
        int slot = SLOTS[field];
        if (slot == 0) {
            slot = ResidueNative.resolveField(field);
            SLOTS[field] = (char) slot;
        }
        return slot;
    }

    @DontInline
    static void firstWrite(Object object, int id, int slot) {
        int cell = id + ResidueCells.HEADER + slot;
        if (!ResidueCells.write(cell)) {
            return;
        }
        long place = ResidueClasses.slotPlace(id, slot);
        if (place == 0) {
            ResidueValues.oldUnknown(object, id, cell);
        } else {
            if (ResidueUndo.IS_ON) {
                ResidueUndo.slot(object, id, slot, ResidueClasses.type(place), (int) place);
            }
            ResidueValues.old(object, id, cell, ResidueClasses.type(place), (int) place);
        }
    }

    @DontInline
    static void staticRead(int field) {
        int cell = staticCell(field);
        if (cell > ResidueLimits.IGNORED) {
            // Statics have no creator, so it does not matter to which class the cell belongs.
            ResidueCells.read(0, cell);
        }
    }

    @DontInline
    static void staticWrite(int field) {
        int cell = staticCell(field);
        if (cell == 0) {
            ResidueNative.writeUnresolved(field, ResidueCells.now);
        } else if (cell != ResidueLimits.IGNORED && !ResidueCells.isWritten(cell)) {
            int id = ResidueNative.staticsOf(cell);
            firstWrite(ResidueNative.mirror(id), id, cell - id - ResidueCells.HEADER);
        }
    }

    private static int staticCell(int field) {
        if (ResidueCells.now < 0) {
            return ResidueLimits.IGNORED;
        }
        int cell = STATICS[field];
        if (cell == 0) {
            cell = ResidueNative.resolveStatic(field);
            if (cell != 0) {
                STATICS[field] = cell;
            }
        }
        return cell;
    }

    static void elementRead(Object array, long mark, int index) {
        int id = ResidueCells.now < 0 ? 0 : ResidueMark.id(array, mark);
        if (id != 0) {
            int length = ResidueCells.get(id + ResidueCells.LENGTH);
            if (index >= 0 && index < length) {
                ResidueCells.read(id, elementCell(id, length, index));
            }
        }
    }

    static void elementWrite(Object array, long mark, int index) {
        int id = ResidueCells.now < 0 ? 0 : ResidueMark.id(array, mark);
        if (id != 0) {
            int length = ResidueCells.get(id + ResidueCells.LENGTH);
            boolean within = index >= 0 && index < length;
            if (within && !ResidueCells.isWritten(elementCell(id, length, index))) {
                firstElementWrite(array, id, length, index);
            }
        }
    }

    @ForceInline
    private static int elementCell(int id, int length, int index) {
        return id + ResidueCells.ARRAY_HEADER + (index >>> ResidueCells.shift(length));
    }

    @DontInline
    private static void firstElementWrite(Object array, int id, int length, int index) {
        int cell = elementCell(id, length, index);
        if (!ResidueCells.write(cell)) {
            return;
        }
        if (ResidueUndo.IS_ON) {
            ResidueUndo.elements(array, id, length, index);
        }
        if (length > 1 << ResidueCells.MOST_SLOTS_SHIFT) {
            ResidueValues.oldUnknown(array, id, cell);
            return;
        }
        long record = ResidueClasses.recordOf(id);
        long offset = ResidueClasses.elementOffset(record, index);
        ResidueValues.old(array, id, cell, ResidueClasses.elementType(record), offset);
    }

    static void elementsRead(Object array, int from, int count) {
        int id = tracking(array);
        int length = id == 0 ? 0 : ResidueCells.get(id + ResidueCells.LENGTH);
        if (!isWithin(from, count, length)) {
            return;
        }
        int last = elementCell(id, length, from + count - 1);
        for (int cell = elementCell(id, length, from); cell <= last; cell++) {
            ResidueCells.read(id, cell);
        }
    }

    static void elementsWritten(Object array, int from, int count) {
        int id = tracking(array);
        int length = id == 0 ? 0 : ResidueCells.get(id + ResidueCells.LENGTH);
        if (!isWithin(from, count, length)) {
            return;
        }
        int step = 1 << ResidueCells.shift(length);
        for (int index = from & -step; index < from + count; index += step) {
            if (!ResidueCells.isWritten(elementCell(id, length, index))) {
                firstElementWrite(array, id, length, index);
            }
        }
    }

    private static boolean isWithin(int from, int count, int length) {
        return from >= 0 && count > 0 && from <= length - count;
    }

    private static int tracking(Object object) {
        return ResidueCells.now < 0 ? 0 : ResidueMark.id(object);
    }

    /** Every slot is read: the object is about to be copied. */
    @DontInline
    static void readWhole(Object object) {
        int id = tracking(object);
        if (id == 0) {
            return;
        }
        long record = ResidueClasses.recordOf(id);
        if (ResidueClasses.isArray(record)) {
            elementsRead(object, 0, ResidueCells.get(id + ResidueCells.LENGTH));
            return;
        }
        int slots = ResidueClasses.slots(record);
        for (int slot = 0; slot < slots; slot++) {
            if (ResidueClasses.isTracked(ResidueClasses.slotPlace(id, slot))) {
                ResidueCells.read(id, id + ResidueCells.HEADER + slot);
            }
        }
    }

    /** Reads at an offset; {@code width} is the logarithm of the number of bytes. */
    @DontInline
    static void offsetRead(Object object, long offset, int width) {
        touchOffset(object, offset, 1L << width, false);
    }

    @DontInline
    static void offsetWrite(Object object, long offset, int width) {
        touchOffset(object, offset, 1L << width, true);
    }

    /** Reads and then, if the value is the expected one, writes. */
    @DontInline
    static void offsetUpdate(Object object, long offset, int width, boolean writes) {
        touchOffset(object, offset, 1L << width, false);
        if (writes) {
            touchOffset(object, offset, 1L << width, true);
        }
    }

    static void touchOffset(Object object, long offset, long bytes, boolean writes) {
        int id = tracking(object);
        if (id == 0) {
            return;
        }
        long record = ResidueClasses.recordOf(id);
        if (!ResidueClasses.isStatics(id) && ResidueClasses.isArray(record)) {
            touchElements(object, record, offset, bytes, writes);
            return;
        }
        touchSlot(object, id, ResidueClasses.slotAt(id, offset), writes);
    }

    static void touchSlot(Object object, int id, int slot, boolean writes) {
        if (slot < 0) {
            return;
        }
        int cell = id + ResidueCells.HEADER + slot;
        if (!writes) {
            ResidueCells.read(id, cell);
        } else if (!ResidueCells.isWritten(cell)) {
            firstWrite(object, id, slot);
        }
    }

    private static void touchElements(
            Object array, long record, long offset, long bytes, boolean writes) {
        long first = offset - ResidueClasses.elementBase(record);
        if (first < 0 || bytes <= 0) {
            return;
        }
        int shift = ResidueClasses.elementShift(record);
        int from = (int) (first >>> shift);
        int count = (int) (first + bytes - 1 >>> shift) - from + 1;
        if (writes) {
            elementsWritten(array, from, count);
        } else {
            elementsRead(array, from, count);
        }
    }
}
