package java.lang;

import static java.lang.ResidueNative.U;

/** Reads the heap as it is, or as it was when the capture that {@link ResidueUndo} looks at began. */
final class ResidueViews {
    private ResidueViews() {}

    static Object reference(Object holder, long offset, boolean old) {
        int entry = old ? entry(holder, offset) : -1;
        return entry < 0 ? ResidueReferences.get(holder, offset) : ResidueUndo.reference(entry);
    }

    static int number(Object holder, long offset, boolean old) {
        int entry = old ? entry(holder, offset) : -1;
        return entry < 0 ? U.getInt(holder, offset) : (int) ResidueUndo.bits(entry);
    }

    /** The bits of a primitive slot. */
    static long bits(Object holder, int id, int slot, char type, long offset, boolean old) {
        int entry = old && id != 0 && slot >= 0 ? ResidueUndo.find(id, slot) : -1;
        return entry < 0 ? ResidueValues.primitive(type, holder, offset) : ResidueUndo.bits(entry);
    }

    static Object slot(Object holder, int id, int slot, long offset, boolean old) {
        int entry = old && id != 0 && slot >= 0 ? ResidueUndo.find(id, slot) : -1;
        return entry < 0 ? ResidueReferences.get(holder, offset) : ResidueUndo.reference(entry);
    }

    static Object element(Object[] array, int id, int at, boolean old) {
        int entry = old && id != 0 ? ResidueUndo.find(id, at) : -1;
        return entry < 0 ? array[at] : ResidueUndo.reference(entry);
    }

    private static int entry(Object holder, long offset) {
        int id = ResidueMark.id(holder);
        int slot = id == 0 ? -1 : ResidueClasses.slotAt(id, offset);
        return slot < 0 ? -1 : ResidueUndo.find(id, slot);
    }
}
