package java.lang;

/**
 * Whether an old subgraph and a new one are isomorphic: of the same classes, with the same values,
 * and with objects that stand for each other one to one. An object that was there before and still
 * is stands for itself, because unchanged ways lead to it; where its own content has changed, that is
 * found at the location that changed. So what is really compared is what was dropped with what was
 * made in its place.
 *
 * <p>The work has a limit; beyond it the answer is {@link #UNKNOWN}.
 */
final class ResidueSameness {
    static final int SAME = 0;
    static final int DIFFERENT = 1;
    static final int UNKNOWN = 2;

    private static final int MOST_STEPS = 4_000_000;
    private static final int MOST_CAPTURE_STEPS = 40_000_000;
    /** Keys that are no values are tried against each other, in maps up to this size. */
    private static final int MOST_TRIALS = 64;
    private static final int DEEPEST_TRIAL = 4;

    /** Objects with ids from here on are younger than the capture. */
    private static int youngest;

    private static int stepsLeft;
    private static int captureStepsLeft;
    private static int depth;

    private static Object[] olds = new Object[256];
    private static Object[] news = new Object[256];
    private static int waiting;

    private ResidueSameness() {}

    static void begin(int firstYoungId) {
        youngest = firstYoungId;
        captureStepsLeft = MOST_CAPTURE_STEPS;
        ResiduePairs.shrink(0);
    }

    static void forget() {
        olds = new Object[256];
        news = new Object[256];
        waiting = 0;
        ResiduePairs.shrink(0);
    }

    /**
     * Compares what a location held with what it holds. Objects that stand for each other at one
     * location do so at all others: what was shared has to be shared still.
     */
    static int compare(Object old, Object now) {
        int known = ResiduePairs.size();
        stepsLeft = captureStepsLeft < MOST_STEPS ? captureStepsLeft : MOST_STEPS;
        int given = stepsLeft;
        depth = 0;
        int answer = compareAll(old, now);
        captureStepsLeft -= given - stepsLeft;
        // Whoever can still reach an object that was replaced can tell it from what replaced it.
        for (int i = known; answer == SAME && i < ResiduePairs.size(); i++) {
            if (ResidueWays.isReachable(ResiduePairs.old(i))) {
                answer = DIFFERENT;
            }
        }
        if (answer != SAME) {
            ResiduePairs.shrink(known);
        }
        return answer;
    }

    private static int compareAll(Object old, Object now) {
        int bottom = waiting;
        int answer = push(old, now);
        while (answer == SAME && waiting > bottom) {
            waiting--;
            Object one = olds[waiting];
            Object other = news[waiting];
            olds[waiting] = null;
            news[waiting] = null;
            answer = inside(one, other);
        }
        while (waiting > bottom) {
            waiting--;
            olds[waiting] = null;
            news[waiting] = null;
        }
        return answer;
    }

    /** Settles what can be settled at first sight, and puts the rest aside. */
    private static int push(Object old, Object now) {
        if (old == now) {
            return SAME;
        }
        if (old == null || now == null) {
            return DIFFERENT;
        }
        if (old == ResidueUndo.GONE || --stepsLeft < 0) {
            return UNKNOWN;
        }
        if (old.getClass() != now.getClass()) {
            return DIFFERENT;
        }
        int kind = ResidueValues.kind(old);
        if (kind == ResidueValues.TEXT) {
            return old.equals(now) ? SAME : DIFFERENT;
        }
        if (kind == ResidueValues.CONSTANT || kind == ResidueValues.TYPE) {
            return DIFFERENT;
        }
        if (kind != ResidueValues.OBJECT) {
            return ResidueValues.bits(kind, old) == ResidueValues.bits(kind, now) ? SAME : DIFFERENT;
        }
        int oldId = ResidueMark.id(old);
        int newId = ResidueMark.id(now);
        if (newId != 0 && newId < youngest) {
            return DIFFERENT;
        }
        if (oldId != 0 && newId != 0) {
            int known = ResiduePairs.newOf(oldId);
            if (known != 0 || ResiduePairs.oldOf(newId) != 0) {
                return known == newId ? SAME : DIFFERENT;
            }
            ResiduePairs.add(oldId, newId);
        }
        if (waiting == olds.length) {
            olds = longer(olds);
            news = longer(news);
        }
        olds[waiting] = old;
        news[waiting] = now;
        waiting++;
        return SAME;
    }

    private static Object[] longer(Object[] from) {
        Object[] to = new Object[from.length * 2];
        System.arraycopy(from, 0, to, 0, from.length);
        return to;
    }

    /** Two objects of one class. */
    private static int inside(Object old, Object now) {
        if (old.getClass().isArray()) {
            return old instanceof Object[]
                    ? references((Object[]) old, (Object[]) now)
                    : primitives(old, now);
        }
        long table = ResidueContents.table(old.getClass());
        int kind = ResidueContents.kind(table);
        if (kind == ResidueContents.IDENTITY) {
            return DIFFERENT;
        }
        int answer = fields(old, now, table);
        if (answer == SAME && ResidueContents.isCollection(kind)) {
            ResidueElements before = ResidueContents.elements(old, kind, true);
            ResidueElements after = ResidueContents.elements(now, kind, false);
            answer = before == null || after == null ? UNKNOWN : elements(before, after, kind);
        }
        return answer;
    }

    private static int fields(Object old, Object now, long table) {
        int oldId = ResidueMark.id(old);
        int count = ResidueContents.fields(table);
        int answer = SAME;
        for (int i = 0; i < count && answer == SAME; i++) {
            int offset = ResidueContents.offset(table, i);
            char type = ResidueContents.type(table, i);
            int slot = ResidueContents.slot(table, i);
            if (type == 'L') {
                Object before = ResidueViews.slot(old, oldId, slot, offset, true);
                answer = push(before, ResidueReferences.get(now, offset));
            } else {
                long before = ResidueViews.bits(old, oldId, slot, type, offset, true);
                answer = before == ResidueValues.primitive(type, now, offset) ? SAME : DIFFERENT;
            }
        }
        return answer;
    }

    private static int references(Object[] old, Object[] now) {
        if (old.length != now.length) {
            return DIFFERENT;
        }
        int id = ResidueMark.id(old);
        int answer = SAME;
        for (int i = 0; i < old.length && answer == SAME; i++) {
            answer = push(ResidueViews.element(old, id, i, true), now[i]);
        }
        return answer;
    }

    private static int primitives(Object old, Object now) {
        int length = ResidueClasses.length(old);
        stepsLeft -= length >>> 6;
        if (length != ResidueClasses.length(now)) {
            return DIFFERENT;
        }
        long record = ResidueClasses.of(old.getClass());
        char type = ResidueClasses.elementType(record);
        int id = ResidueMark.id(old);
        for (int i = 0; i < length; i++) {
            long offset = ResidueClasses.elementOffset(record, i);
            if (ResidueViews.bits(old, id, i, type, offset, true)
                    != ResidueValues.primitive(type, now, offset)) {
                return DIFFERENT;
            }
        }
        return SAME;
    }

    private static int elements(ResidueElements old, ResidueElements now, int kind) {
        if (old.size() != now.size()) {
            return DIFFERENT;
        }
        stepsLeft -= old.size();
        int answer = SAME;
        if (ResidueContents.isOrdered(kind)) {
            for (int i = 0; i < old.size() && answer == SAME; i++) {
                answer = push(old.key(i), now.key(i));
                answer = answer == SAME ? push(old.value(i), now.value(i)) : answer;
            }
            return answer;
        }
        ResidueKeys keys = new ResidueKeys(now);
        int[] others = new int[MOST_TRIALS];
        int otherCount = 0;
        for (int i = 0; i < old.size() && answer == SAME; i++) {
            int at = keys.take(old.key(i));
            if (at >= 0) {
                answer = push(old.value(i), now.value(at));
            } else if (ResidueKeys.isValue(old.key(i))) {
                return DIFFERENT;
            } else if (otherCount == MOST_TRIALS) {
                return UNKNOWN;
            } else {
                others[otherCount] = i;
                otherCount++;
            }
        }
        for (int i = 0; i < otherCount && answer == SAME; i++) {
            answer = tryKeys(old, others[i], now, keys);
        }
        return answer;
    }

    /** Looks for an entry of the new map that is like one of the old map. */
    private static int tryKeys(
            ResidueElements old, int at, ResidueElements now, ResidueKeys keys) {
        if (depth == DEEPEST_TRIAL) {
            return UNKNOWN;
        }
        depth++;
        int answer = DIFFERENT;
        for (int i = 0; i < now.size() && answer == DIFFERENT; i++) {
            if (!keys.isTaken(i)) {
                int pairs = ResiduePairs.size();
                answer = compareAll(old.key(at), now.key(i));
                answer = answer == SAME ? compareAll(old.value(at), now.value(i)) : answer;
                if (answer == SAME) {
                    keys.take(i);
                } else {
                    ResiduePairs.shrink(pairs);
                }
            }
        }
        depth--;
        return answer;
    }
}
