package java.lang;

import java.lang.reflect.Modifier;

/**
 * At the end of a capture (a test, or a class with its fixtures): what it changed and did not put
 * back. Locations inside a collection are judged together, by the collection's elements, so that how
 * it keeps them does not matter.
 *
 * <p>What cannot be reached any more is no pollution, and neither is what was not there before.
 */
final class ResiduePollution {
    private static final int BEFORE_CLASS = 0;
    private static final int TEST = 1;
    private static final int AFTER_CLASS = 2;

    // What is told of a pollution at its beginning.
    private static final int PUBLIC_ROOT = 1;
    private static final int LOADED_HERE = 2;

    private static final int MOST_TOLD = 2000;
    private static final int MOST_CELLS = 64;
    /** Places of one capture that are shown as trees. */
    private static final int MOST_TREES = 20;

    private static int kind = -1;
    /** Objects with ids from here on were not there when the capture began. */
    private static int firstYoung;

    private static int told;

    // The entries of the undo log by unit: the first of each unit, and the next of each entry.
    private static int[] unitIds;
    private static int[] firsts;
    private static int[] nexts;
    private static int unitCount;

    private ResiduePollution() {}

    /** An epoch has begun. Called with all epochs, in turn with {@link #ends}. */
    static void begun(int newKind, boolean isNewCapture) {
        kind = newKind;
        if (isNewCapture) {
            firstYoung = ResidueCells.used();
            ResidueNative.captureBegins();
        }
    }

    /** Whether the capture ends with the current epoch, if the next one is of this kind. */
    static boolean ends(int nextKind) {
        boolean isFirst = kind < 0;
        boolean endsClass = nextKind == BEFORE_CLASS || kind == AFTER_CLASS;
        return !ResidueUndo.IS_PER_CLASS || isFirst || endsClass;
    }

    static void capture() {
        int count = ResidueUndo.end();
        ResidueSameness.begin(firstYoung);
        told = 0;
        // What class fixtures do is no test's doing.
        group(ResidueUndo.IS_PER_CLASS || kind == TEST ? count : 0);
        ResidueWays.begin(unitIds, unitCount);
        for (int unit = 0; unit < unitCount; unit++) {
            judge(unitIds[unit], firsts[unit]);
        }
        judgeEarlyWrites();
        forget();
    }

    /** Nothing may stay behind that keeps objects alive. */
    static void forget() {
        ResidueUndo.forget();
        ResidueSameness.forget();
        ResidueWays.forget();
        unitIds = null;
        firsts = null;
        nexts = null;
        unitCount = 0;
    }

    /** Puts entries together that are judged together. */
    private static void group(int count) {
        int size = 16;
        while (size < 2 * count) {
            size <<= 1;
        }
        int[] index = new int[size];
        nexts = new int[count];
        unitIds = new int[count];
        firsts = new int[count];
        unitCount = 0;
        int lastHolder = 0;
        int unit = 0;
        for (int entry = count - 1; entry >= 0; entry--) {
            nexts[entry] = -1;
            if (!ResidueUndo.isFirst(entry)) {
                continue;
            }
            int holder = ResidueUndo.id(entry);
            if (holder != lastHolder) {
                unit = ResidueClasses.isStatics(holder) ? holder : ResidueNative.unitOf(holder);
                lastHolder = holder;
            }
            int at = unit * 0x9E3779B9 >>> 7;
            while (index[at & size - 1] != 0 && unitIds[index[at & size - 1] - 1] != unit) {
                at++;
            }
            int known = index[at & size - 1];
            if (known == 0) {
                unitIds[unitCount] = unit;
                firsts[unitCount] = entry;
                unitCount++;
                index[at & size - 1] = unitCount;
            } else {
                nexts[entry] = firsts[known - 1];
                firsts[known - 1] = entry;
            }
        }
    }

    private static void judge(int unit, int first) {
        boolean isStatics = ResidueClasses.isStatics(unit);
        Object holder = isStatics ? ResidueNative.mirror(unit) : ResidueWays.find(unit);
        if (holder == null) {
            return;
        }
        int flags = flags(unit);
        boolean wasThere = isStatics || unit < firstYoung || isMadeByInitialiser(unit);
        if (!wasThere && (flags & LOADED_HERE) == 0) {
            return;
        }
        if (isStatics) {
            judgeSlots(holder, unit, first, 0L, flags);
        } else if (ResidueClasses.isArray(ResidueClasses.recordOf(unit))) {
            judgeArray(holder, unit, first, flags);
        } else {
            long table = ResidueContents.table(holder.getClass());
            boolean isCollection = ResidueContents.isCollection(ResidueContents.kind(table));
            judgeSlots(holder, unit, first, isCollection ? table : 0L, flags);
            if (isCollection) {
                judgeCollection(holder, unit, first, ResidueContents.kind(table), flags);
            }
        }
    }

    /** What the initialiser of a class makes is as if it had always been there. */
    private static boolean isMadeByInitialiser(int id) {
        return ResidueCells.get(id + ResidueCells.CREATOR) == 0;
    }

    /** Statics that were written before their class was there: it is unknown what they held. */
    private static void judgeEarlyWrites() {
        int count = ResidueNative.earlyCount();
        for (int i = 0; i < count; i++) {
            int cell = ResidueNative.earlyCell(i);
            int id = ResidueNative.staticsOf(cell);
            int slot = cell - id - ResidueCells.HEADER;
            long place = ResidueClasses.slotPlace(id, slot);
            Object holder = id == 0 || place == 0 ? null : ResidueNative.mirror(id);
            if (holder != null
                    && ResidueUndo.find(id, slot) < 0
                    && !isDefault(holder, ResidueClasses.type(place), (int) place)
                    && isRoom()) {
                ResidueNative.pollutionBegins(flags(id) | LOADED_HERE);
                ResidueNative.pollutionStep(cell, ResidueValues.UNKNOWN, 0L, null);
                ResidueNative.pollutionCell(cell);
                ResidueTrees.tellNow(holder, ResidueClasses.type(place), (int) place);
                ResidueNative.pollutionEnds();
            }
        }
    }

    private static boolean isDefault(Object holder, char type, long offset) {
        return type == 'L'
                ? ResidueReferences.get(holder, offset) == null
                : ResidueValues.primitive(type, holder, offset) == 0;
    }

    private static int flags(int unit) {
        int root = ResidueWays.rootOf(unit);
        if (!ResidueClasses.isStatics(root)) {
            return 0;
        }
        Class<?> type = ResidueNative.mirror(root);
        if (type == null) {
            return 0;
        }
        int flags = Modifier.isPublic(type.getModifiers()) ? PUBLIC_ROOT : 0;
        return ResidueNative.isLoadedInCapture(type) ? flags | LOADED_HERE : flags;
    }

    /** Slots of one object; of a collection those that its table has. */
    private static void judgeSlots(Object holder, int unit, int first, long table, int flags) {
        for (int entry = first; entry >= 0; entry = nexts[entry]) {
            int slot = ResidueUndo.at(entry);
            long place = ResidueClasses.slotPlace(unit, slot);
            if (ResidueUndo.id(entry) == unit
                    && place != 0
                    && (table == 0 || hasSlot(table, slot))
                    && isChanged(holder, entry, (int) place)
                    && isRoom()) {
                int cell = unit + ResidueCells.HEADER + slot;
                ResidueNative.pollutionBegins(flags);
                ResidueWays.tell(unit);
                ResidueNative.pollutionStep(cell, ResidueValues.UNKNOWN, 0L, null);
                ResidueNative.pollutionCell(cell);
                ResidueDifferences inside = elements(holder, entry, (int) place);
                if (inside == null || inside.isEmpty()) {
                    tellChange(ResidueTrees.NO_LABEL, 0L, null, holder, entry, (int) place);
                } else {
                    inside.tell();
                }
                ResidueNative.pollutionEnds();
            }
        }
    }

    private static boolean hasSlot(long table, int slot) {
        for (int i = 0; i < ResidueContents.fields(table); i++) {
            if (ResidueContents.slot(table, i) == slot) {
                return true;
            }
        }
        return false;
    }

    private static void judgeArray(Object array, int unit, int first, int flags) {
        long record = ResidueClasses.recordOf(unit);
        int shift = ResidueCells.shift(ResidueClasses.length(array));
        boolean begun = false;
        int lastCell = 0;
        int cells = 0;
        for (int entry = first; entry >= 0; entry = nexts[entry]) {
            long offset = ResidueClasses.elementOffset(record, ResidueUndo.at(entry));
            if (!isChanged(array, entry, offset)) {
                continue;
            }
            if (!begun) {
                if (!isRoom()) {
                    return;
                }
                begun = true;
                ResidueNative.pollutionBegins(flags);
                ResidueWays.tell(unit);
            }
            int cell = unit + ResidueCells.ARRAY_HEADER + (ResidueUndo.at(entry) >>> shift);
            if (cell != lastCell && cells < MOST_CELLS) {
                ResidueNative.pollutionCell(cell);
                lastCell = cell;
                cells++;
            }
            tellChange(ResidueTrees.INDEX, ResidueUndo.at(entry), null, array, entry, offset);
        }
        if (begun) {
            ResidueNative.pollutionEnds();
        }
    }

    private static boolean isChanged(Object holder, int entry, long offset) {
        if (ResidueUndo.type(entry) == 'L') {
            return isChanged(ResidueUndo.reference(entry), ResidueReferences.get(holder, offset));
        }
        long now = ResidueValues.primitive(ResidueUndo.type(entry), holder, offset);
        return now != ResidueUndo.bits(entry);
    }

    static boolean isChanged(Object old, Object now) {
        int answer = ResidueSameness.compare(old, now);
        if (answer == ResidueSameness.UNKNOWN) {
            ResidueNative.notCompared(
                    old == ResidueUndo.GONE
                            ? "old values that the collector took before they could be compared"
                            : "values that are too large to be compared");
        }
        return answer == ResidueSameness.DIFFERENT;
    }

    static boolean showsTrees() {
        return told <= MOST_TREES;
    }

    private static boolean isRoom() {
        if (told == MOST_TOLD) {
            ResidueNative.notCompared("changes of one test beyond the first " + MOST_TOLD);
        }
        told++;
        return told <= MOST_TOLD;
    }

    private static void tellChange(
            int label, long bits, Object shown, Object holder, int entry, long offset) {
        char type = ResidueUndo.type(entry);
        if (type == 'L') {
            Object now = ResidueReferences.get(holder, offset);
            ResidueTrees.tellChange(label, bits, shown, ResidueUndo.reference(entry), now, false, false);
        } else {
            int of = ResidueValues.primitiveKind(type);
            long now = ResidueValues.primitive(type, holder, offset);
            ResidueNative.pollutionChange(
                    label, bits, shown, of, ResidueUndo.bits(entry), null, of, now, null);
        }
    }

    private static void judgeCollection(
            Object collection, int unit, int first, int contentKind, int flags) {
        ResidueDifferences found =
                ResidueDifferences.between(collection, collection, contentKind);
        if (found == null) {
            ResidueNative.notCompared("collections that are too large or not as they should be");
        } else if (!found.isEmpty() && isRoom()) {
            ResidueNative.pollutionBegins(flags);
            ResidueWays.tell(unit);
            found.tell();
            // Of a system property it is its key that others ask for.
            int cells = ResidueProperties.isTable(collection) ? found.tellProperties(MOST_CELLS) : 0;
            for (int entry = first; entry >= 0 && cells < MOST_CELLS; entry = nexts[entry]) {
                ResidueNative.pollutionCell(cell(entry));
                cells++;
            }
            ResidueNative.pollutionEnds();
        }
    }

    /** One collection in place of another of its class is told by what is in them. */
    private static ResidueDifferences elements(Object holder, int entry, long offset) {
        if (ResidueUndo.type(entry) != 'L') {
            return null;
        }
        Object old = ResidueUndo.reference(entry);
        Object now = ResidueReferences.get(holder, offset);
        if (old == null || now == null || old.getClass() != now.getClass()) {
            return null;
        }
        int contentKind = ResidueContents.kind(ResidueContents.table(old.getClass()));
        boolean isCollection = ResidueContents.isCollection(contentKind);
        return isCollection ? ResidueDifferences.between(old, now, contentKind) : null;
    }

    private static int cell(int entry) {
        int id = ResidueUndo.id(entry);
        int at = ResidueUndo.at(entry);
        if (!ResidueClasses.isArray(ResidueClasses.recordOf(id))) {
            return id + ResidueCells.HEADER + at;
        }
        int length = ResidueCells.get(id + ResidueCells.LENGTH);
        return id + ResidueCells.ARRAY_HEADER + (at >>> ResidueCells.shift(length));
    }
}
