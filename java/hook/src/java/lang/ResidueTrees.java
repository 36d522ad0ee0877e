package java.lang;

/** Tells the agent how what a location holds looked before and looks now, as far as one can read it. */
final class ResidueTrees {
    // Labels beyond the kinds of values, which stand for keys of maps.
    static final int NO_LABEL = -1;
    static final int INDEX = -2;
    static final int FIELD = -3;
    static final int ORDER = -4;

    private static final int BEFORE = 0;
    private static final int AFTER = 1;

    private static final int DEEPEST = 4;
    private static final int MOST_NODES = 48;
    private static final int MOST_CHILDREN = 16;

    private static int nodesLeft;

    private ResidueTrees() {}

    /** A reference has changed, or was not there before, or is gone. */
    static void tellChange(
            int label,
            long bits,
            Object shown,
            Object old,
            Object now,
            boolean isAdded,
            boolean isRemoved) {
        int oldKind = isAdded || old == ResidueUndo.GONE ? ResidueValues.UNKNOWN : ResidueValues.kind(old);
        int newKind = isRemoved ? ResidueValues.UNKNOWN : ResidueValues.kind(now);
        boolean isWanted =
                ResidueNative.pollutionChange(
                        label,
                        bits,
                        shown,
                        oldKind,
                        ResidueValues.bits(oldKind, old),
                        ResidueValues.shown(oldKind, old),
                        newKind,
                        ResidueValues.bits(newKind, now),
                        ResidueValues.shown(newKind, now));
        if (isWanted && ResiduePollution.showsTrees()) {
            nodesLeft = MOST_NODES;
            children(BEFORE, 0, oldKind, old);
            nodesLeft = MOST_NODES;
            children(AFTER, 0, newKind, now);
        }
    }

    /** What a location holds; what it held is unknown. */
    static void tellNow(Object holder, char type, long offset) {
        if (type == 'L') {
            Object now = ResidueReferences.get(holder, offset);
            tellChange(NO_LABEL, 0L, null, ResidueUndo.GONE, now, false, false);
            return;
        }
        int kind = ResidueValues.primitiveKind(type);
        long bits = ResidueValues.primitive(type, holder, offset);
        ResidueNative.pollutionChange(
                NO_LABEL, 0L, null, ResidueValues.UNKNOWN, 0L, null, kind, bits, null);
    }

    private static void tell(int side, int depth, int label, long bits, Object shown, Object value) {
        int kind = value == ResidueUndo.GONE ? ResidueValues.UNKNOWN : ResidueValues.kind(value);
        long valueBits = ResidueValues.bits(kind, value);
        tell(side, depth, label, bits, shown, kind, valueBits, ResidueValues.shown(kind, value));
        children(side, depth, kind, value);
    }

    private static void tell(
            int side,
            int depth,
            int label,
            long bits,
            Object shown,
            int kind,
            long valueBits,
            Object valueShown) {
        nodesLeft--;
        ResidueNative.treeNode(side, depth, label, bits, shown, kind, valueBits, valueShown);
    }

    private static void children(int side, int depth, int kind, Object parent) {
        if (kind != ResidueValues.OBJECT || depth == DEEPEST || nodesLeft <= 0) {
            return;
        }
        if (parent.getClass().isArray()) {
            elements(side, depth + 1, parent);
            return;
        }
        boolean old = side == BEFORE;
        long table = ResidueContents.table(parent.getClass());
        int contentKind = ResidueContents.kind(table);
        int id = ResidueMark.id(parent);
        int classId = ResidueClasses.id(parent.getClass());
        for (int i = 0; i < ResidueContents.fields(table) && nodesLeft > 0; i++) {
            int offset = ResidueContents.offset(table, i);
            int slot = ResidueContents.slot(table, i);
            char type = ResidueContents.type(table, i);
            long label = (long) classId << 32 | i;
            if (type == 'L') {
                Object value = ResidueViews.slot(parent, id, slot, offset, old);
                tell(side, depth + 1, FIELD, label, null, value);
            } else {
                int of = ResidueValues.primitiveKind(type);
                long bits = ResidueViews.bits(parent, id, slot, type, offset, old);
                tell(side, depth + 1, FIELD, label, null, of, bits, null);
            }
        }
        if (ResidueContents.isCollection(contentKind)) {
            collection(side, depth + 1, parent, contentKind);
        }
    }

    private static void elements(int side, int depth, Object array) {
        long record = ResidueClasses.of(array.getClass());
        char type = ResidueClasses.elementType(record);
        int id = ResidueMark.id(array);
        int length = ResidueClasses.length(array);
        for (int i = 0; i < length && i < MOST_CHILDREN && nodesLeft > 0; i++) {
            if (type == 'L') {
                tell(side, depth, INDEX, i, null, ResidueViews.element((Object[]) array, id, i, side == BEFORE));
            } else {
                long offset = ResidueClasses.elementOffset(record, i);
                long bits = ResidueViews.bits(array, id, i, type, offset, side == BEFORE);
                tell(side, depth, INDEX, i, null, ResidueValues.primitiveKind(type), bits, null);
            }
        }
    }

    private static void collection(int side, int depth, Object parent, int contentKind) {
        ResidueElements elements = ResidueContents.elements(parent, contentKind, side == BEFORE);
        if (elements == null) {
            return;
        }
        boolean isMap = ResidueContents.isMap(contentKind);
        for (int i = 0; i < elements.size() && i < MOST_CHILDREN && nodesLeft > 0; i++) {
            int label = isMap ? ResidueValues.kind(elements.key(i)) : INDEX;
            long bits = isMap ? ResidueValues.bits(label, elements.key(i)) : i;
            Object shown = isMap ? ResidueValues.shown(label, elements.key(i)) : null;
            tell(side, depth, label, bits, shown, elements.value(i));
        }
    }
}
