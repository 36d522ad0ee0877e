package java.lang;

/** In which elements a collection, or one and another in its place, differ from what was before. */
final class ResidueDifferences {
    private static final int NONE = -1;
    /** Keys that are no values are compared with each other in maps up to this size. */
    private static final int MOST_KEYS_TRIED = 1000;

    private final ResidueElements old;
    private final ResidueElements now;
    private final boolean isMap;

    /** Positions of the same element before and now; {@link #NONE} where it is missing. */
    private int[] olds = new int[16];
    private int[] news = new int[16];
    private int size;

    private boolean isReordered;

    private ResidueDifferences(ResidueElements old, ResidueElements now, boolean isMap) {
        this.old = old;
        this.now = now;
        this.isMap = isMap;
    }

    /** Null if that cannot be told. */
    static ResidueDifferences between(Object before, Object after, int kind) {
        ResidueElements old = ResidueContents.elements(before, kind, true);
        ResidueElements now = ResidueContents.elements(after, kind, false);
        if (old == null || now == null) {
            return null;
        }
        ResidueDifferences found = new ResidueDifferences(old, now, ResidueContents.isMap(kind));
        if (found.isMap) {
            found.compareKeys();
        } else {
            found.comparePositions();
        }
        boolean hasOrder = found.isMap && ResidueContents.isOrdered(kind);
        found.isReordered = found.size == 0 && hasOrder && found.hasOtherOrder();
        return found;
    }

    boolean isEmpty() {
        return size == 0 && !isReordered;
    }

    private void compareKeys() {
        ResidueKeys keys = new ResidueKeys(now);
        for (int i = 0; i < old.size(); i++) {
            int at = take(old.key(i), keys);
            if (at < 0 || ResiduePollution.isChanged(old.value(i), now.value(at))) {
                add(i, at);
            }
        }
        for (int i = 0; i < now.size(); i++) {
            if (!keys.isTaken(i)) {
                add(NONE, i);
            }
        }
    }

    /** The entry with a key, or with one that is like it. */
    private int take(Object key, ResidueKeys keys) {
        int at = keys.take(key);
        if (at >= 0 || ResidueKeys.isValue(key) || now.size() > MOST_KEYS_TRIED) {
            return at;
        }
        for (int i = 0; i < now.size(); i++) {
            if (!keys.isTaken(i)
                    && ResidueSameness.compare(key, now.key(i)) == ResidueSameness.SAME) {
                keys.take(i);
                return i;
            }
        }
        return NONE;
    }

    private void comparePositions() {
        int common = old.size() < now.size() ? old.size() : now.size();
        for (int i = 0; i < common; i++) {
            if (ResiduePollution.isChanged(old.value(i), now.value(i))) {
                add(i, i);
            }
        }
        for (int i = common; i < old.size(); i++) {
            add(i, NONE);
        }
        for (int i = common; i < now.size(); i++) {
            add(NONE, i);
        }
    }

    private boolean hasOtherOrder() {
        for (int i = 0; i < old.size(); i++) {
            if (ResidueSameness.compare(old.key(i), now.key(i)) == ResidueSameness.DIFFERENT) {
                return true;
            }
        }
        return false;
    }

    private void add(int oldAt, int newAt) {
        if (size == olds.length) {
            olds = longer(olds);
            news = longer(news);
        }
        olds[size] = oldAt;
        news[size] = newAt;
        size++;
    }

    private static int[] longer(int[] from) {
        int[] to = new int[from.length * 2];
        System.arraycopy(from, 0, to, 0, from.length);
        return to;
    }

    /** Tells the locations of properties, at most so many; returns how many. */
    int tellProperties(int most) {
        int cells = 0;
        for (int i = 0; i < size && cells < most; i++) {
            int cell = ResidueProperties.cellOf(olds[i] < 0 ? now.key(news[i]) : old.key(olds[i]));
            if (cell != 0) {
                ResidueNative.pollutionCell(cell);
                cells++;
            }
        }
        return cells;
    }

    void tell() {
        for (int i = 0; i < size; i++) {
            int before = olds[i];
            int after = news[i];
            Object oldValue = before < 0 ? null : ResidueContents.undisguised(old.value(before));
            Object newValue = after < 0 ? null : ResidueContents.undisguised(now.value(after));
            Object key = ResidueContents.undisguised(before < 0 ? now.key(after) : old.key(before));
            int label = isMap ? ResidueValues.kind(key) : ResidueTrees.INDEX;
            long bits = isMap ? ResidueValues.bits(label, key) : before < 0 ? after : before;
            Object shown = isMap ? ResidueValues.shown(label, key) : null;
            ResidueTrees.tellChange(label, bits, shown, oldValue, newValue, before < 0, after < 0);
        }
        if (isReordered) {
            ResidueNative.pollutionChange(ResidueTrees.ORDER, 0L, null, 0, 0L, null, 0, 0L, null);
        }
    }
}
