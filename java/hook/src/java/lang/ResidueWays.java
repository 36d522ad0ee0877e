package java.lang;

import static java.lang.ResidueNative.U;

/**
 * Finds old objects by their ids, the way they were found when they became old: from a static, a
 * thread or an object of a framework down. Where that way is cut, or ways are long, one walk through
 * all that can be reached finds them. What it does not meet cannot be reached any more.
 *
 * <p>Walks have a limit for the whole run. Beyond it what was not found counts as out of reach, and
 * the trace says so.
 */
final class ResidueWays {
    private static final int LONGEST = 1 << 20;
    private static final long MOST_VISITS = 50_000_000L;
    /** Steps along known ways, before a walk is cheaper. */
    private static final int MOST_STEPS = 500_000;
    /** Steps that are told of a long way, from its beginning and from its end. */
    private static final int TOLD_STEPS = 24;

    /** The way to the object that was asked for last, from its end: cells, and who they belong to. */
    private static int[] cells = new int[64];
    private static int[] owners = new int[64];
    private static int length;

    /** What is looked for: positions plus 1 by hash of the id, and what the walk found. */
    private static int[] wantedIds;
    private static int[] wantedIndex;
    private static Object[] wantedObjects;

    private static int stepsLeft;
    private static boolean walked;
    private static long visitsLeft = MOST_VISITS;
    /** A bit for each id, outside the heap. */
    private static long visited;
    private static long visitedBytes;

    /** Visited, and what they refer to not yet: first come, first served, so that ways are short. */
    private static Object[] waiting = new Object[1024];
    private static int first;
    private static int beyondLast;

    private ResidueWays() {}

    /** These ids will be asked for. */
    static void begin(int[] ids, int count) {
        int size = 16;
        while (size < 2 * count) {
            size <<= 1;
        }
        wantedIds = ids;
        wantedIndex = new int[size];
        wantedObjects = null;
        for (int i = 0; i < count; i++) {
            wantedIndex[place(ids[i])] = i + 1;
        }
        stepsLeft = MOST_STEPS;
        walked = false;
    }

    private static int place(int id) {
        int mask = wantedIndex.length - 1;
        int at = id * 0x9E3779B9 >>> 7;
        while (wantedIndex[at & mask] != 0 && wantedIds[wantedIndex[at & mask] - 1] != id) {
            at++;
        }
        return at & mask;
    }

    /** One of these objects, or null if it cannot be reached from what outlives tests. */
    static Object find(int id) {
        Object object = walked || stepsLeft < 0 ? null : follow(id);
        if (object != null || !walk()) {
            return object;
        }
        int at = wantedIndex[place(id)];
        return at == 0 ? null : wantedObjects[at - 1];
    }

    /** Whether an object can be reached, whichever way. */
    static boolean isReachable(int id) {
        return walk() && isVisited(id);
    }

    static void forget() {
        wantedIds = null;
        wantedIndex = null;
        wantedObjects = null;
        waiting = new Object[1024];
        walked = false;
    }

    /** Tells the agent the way to an object that was found. */
    static void tell(int id) {
        Object here = climb(id);
        for (int i = length - 1; i >= 0 && here != null; i--) {
            if (i >= length - TOLD_STEPS || i < TOLD_STEPS) {
                Object key = ResidueContents.keyOf(here);
                int kind = key == null ? ResidueValues.UNKNOWN : ResidueValues.kind(key);
                long bits = ResidueValues.bits(kind, key);
                ResidueNative.pollutionStep(cells[i], kind, bits, ResidueValues.shown(kind, key));
            }
            here = child(here, i, id);
        }
    }

    /** The id of the statics, thread or other object where the way to an object begins. */
    static int rootOf(int id) {
        climb(id);
        return length == 0 ? id : owners[length - 1];
    }

    private static Object follow(int id) {
        Object here = climb(id);
        for (int i = length - 1; i >= 0 && here != null; i--) {
            here = child(here, i, id);
        }
        return here;
    }

    /** Notes the way from this id up; returns where it begins, or null. */
    private static Object climb(int id) {
        length = 0;
        int here = id;
        while (!ResidueClasses.isStatics(here)) {
            int cell = ResidueCells.get(here + ResidueCells.PARENT);
            if (cell == 0) {
                return unlessEnded(ResidueNative.root(here));
            }
            if (length == LONGEST) {
                return null;
            }
            if (length == cells.length) {
                cells = longer(cells);
                owners = longer(owners);
            }
            here = ResidueNative.staticsOf(cell);
            if (here == 0) {
                return null;
            }
            cells[length] = cell;
            owners[length] = here;
            length++;
            stepsLeft--;
        }
        return ResidueNative.mirror(here);
    }

    private static int[] longer(int[] from) {
        int[] to = new int[from.length * 2];
        System.arraycopy(from, 0, to, 0, from.length);
        return to;
    }

    /** What a cell of the way holds, if it is still what led on. */
    private static Object child(Object holder, int step, int id) {
        int wanted = step == 0 ? id : owners[step - 1];
        int owner = owners[step];
        long record = ResidueClasses.recordOf(owner);
        if (ResidueClasses.isStatics(owner) || !ResidueClasses.isArray(record)) {
            long place = ResidueClasses.slotPlace(owner, cells[step] - owner - ResidueCells.HEADER);
            return place == 0 ? null : wanted(ResidueReferences.get(holder, (int) place), wanted);
        }
        if (!(holder instanceof Object[])) {
            return null;
        }
        Object[] elements = (Object[]) holder;
        int shift = ResidueCells.shift(elements.length);
        int from = cells[step] - owner - ResidueCells.ARRAY_HEADER << shift;
        for (int i = from; i < elements.length && i < from + (1 << shift); i++) {
            Object element = wanted(elements[i], wanted);
            if (element != null) {
                return element;
            }
        }
        return null;
    }

    private static Object wanted(Object value, int id) {
        return value != null && ResidueMark.id(value) == id ? value : null;
    }

    private static boolean isVisited(int id) {
        return (U.getInt(visited + (long) (id >>> 5 << 2)) >>> (id & 31) & 1) != 0;
    }

    /** Visits all that can be reached, once a capture. False if there were too many visits before. */
    private static boolean walk() {
        if (walked) {
            return true;
        }
        long bytes = (ResidueCells.used() >>> 5) * 4L + 8;
        if (visitsLeft <= 0 || !makeRoom(bytes)) {
            ResidueNative.notCompared("objects that may or may not be reached another way");
            return false;
        }
        U.setMemory(null, visited, bytes, (byte) 0);
        walked = true;
        wantedObjects = new Object[wantedIds.length];
        int classes = ResidueNative.classCount();
        for (int i = 1; i < classes; i++) {
            long record = ResidueClasses.record(i);
            long references = ResidueClasses.staticReferences(record);
            Class<?> type = references == 0 ? null : ResidueNative.mirror(ResidueClasses.statics(record));
            if (type != null) {
                visitReferences(type, ResidueClasses.statics(record), references);
                drain();
            }
        }
        int roots = ResidueNative.rootCount();
        for (int i = 0; i < roots; i++) {
            visit(unlessEnded(ResidueNative.rootAt(i)), 0);
            drain();
        }
        return true;
    }

    /** A thread that has ended leads nowhere: whoever still has it got it elsewhere. */
    private static Object unlessEnded(Object root) {
        return root instanceof Thread && !((Thread) root).isAlive() ? null : root;
    }

    private static boolean makeRoom(long bytes) {
        if (visitedBytes < bytes) {
            visited = ResidueNative.allocate(bytes * 2);
            visitedBytes = visited == 0 ? 0 : bytes * 2;
        }
        return visited != 0;
    }

    private static void visit(Object object, int cell) {
        int id = object == null ? 0 : ResidueMark.id(object);
        if (id == 0 || object instanceof Class || isVisited(id)) {
            return;
        }
        visitsLeft--;
        int wanted = wantedIndex[place(id)];
        if (wanted != 0) {
            wantedObjects[wanted - 1] = object;
        }
        long word = visited + (long) (id >>> 5 << 2);
        U.putInt(word, U.getInt(word) | 1 << (id & 31));
        if (cell != 0) {
            ResidueCells.put(id + ResidueCells.PARENT, cell);
        }
        if (beyondLast == waiting.length) {
            Object[] more = new Object[beyondLast * 2];
            System.arraycopy(waiting, 0, more, 0, beyondLast);
            waiting = more;
        }
        waiting[beyondLast] = object;
        beyondLast++;
    }

    private static void drain() {
        while (first < beyondLast) {
            Object object = waiting[first];
            waiting[first] = null;
            first++;
            int id = ResidueMark.id(object);
            long record = ResidueClasses.recordOf(id);
            if (ResidueClasses.kind(record) == ResidueClasses.REFERENCE_ARRAY) {
                Object[] elements = (Object[]) object;
                int shift = ResidueCells.shift(elements.length);
                for (int i = 0; i < elements.length; i++) {
                    visit(elements[i], id + ResidueCells.ARRAY_HEADER + (i >>> shift));
                }
            } else if (!ResidueClasses.isArray(record) && ResidueClasses.references(record) != 0) {
                visitReferences(object, id, ResidueClasses.references(record));
            }
        }
        first = 0;
        beyondLast = 0;
    }

    private static void visitReferences(Object holder, int id, long references) {
        int count = U.getInt(references);
        for (int i = 0; i < count; i++) {
            long entry = references + 8 + 8L * i;
            Object value = ResidueReferences.get(holder, U.getInt(entry));
            visit(value, id + ResidueCells.HEADER + U.getInt(entry + 4));
        }
    }
}
