package java.lang;

import static java.lang.ResidueNative.U;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * The shadow memory: 32-bit cells outside the heap, one for each tracked location.
 *
 * <p>An old object has an id, the index of its first cell. It starts with a header: its class, the
 * cell that led to it, the epoch that made it; an array has its length too. The statics of a class
 * are laid out like an object, with {@link #STATICS} set in the class. Then there is a cell for each
 * slot: the epoch of the last touch, and whether that epoch read and wrote it, and whether an epoch
 * has ever written it. Touching a location again in the same epoch ends at one comparison.
 */
final class ResidueCells {
    static final long BASE = ResidueNative.constant(ResidueLimits.CELLS);
    private static final int LIMIT = (int) ResidueNative.constant(ResidueLimits.CELL_LIMIT);
    /** Address of {next free cell, entries in the first log, entries in the second log}. */
    private static final long CONTROL = ResidueNative.constant(ResidueLimits.CONTROL);

    private static final long LOGS = ResidueNative.constant(ResidueLimits.READ_LOGS);
    private static final int LOG_ENTRIES = (int) ResidueNative.constant(ResidueLimits.READ_LOG_ENTRIES);
    private static final int LOG_ENTRY_BYTES = 16;
    /** For each stretch of cells the first object that begins in it. */
    private static final long BLOCKS = ResidueNative.constant(ResidueLimits.BLOCK_INDEX);

    private static final int BLOCK_SHIFT = 10;

    static final int CLASS = 0;
    static final int PARENT = 1;
    static final int CREATOR = 2;
    static final int LENGTH = 3;
    static final int HEADER = 3;
    static final int ARRAY_HEADER = 4;

    static final int STATICS = 1 << 31;

    private static final int EVER_WRITTEN = 1;
    private static final int READ = 2;
    static final int WRITTEN = 4;
    static final int EPOCH_SHIFT = 3;

    static final int MOST_SLOTS_SHIFT = 16;

    /** The epoch, shifted to where cells have it. Negative while nothing is tracked. */
    static int now = Integer.MIN_VALUE;

    private ResidueCells() {}

    @ForceInline
    static int get(int cell) {
        return U.getInt(BASE + ((long) cell << 2));
    }

    @ForceInline
    static void put(int cell, int value) {
        U.putInt(BASE + ((long) cell << 2), value);
    }

    /** Ids that are given from now on are not below this. */
    static int used() {
        return U.getInt(CONTROL);
    }

    /** Room for this many cells, or 0 if there is none left. */
    static int allocate(int count) {
        int first = U.getAndAddInt(null, CONTROL, count);
        if (first < 0 || first > LIMIT - count) {
            U.getAndAddInt(null, CONTROL, -count);
            ResidueNative.shadowFull();
            return 0;
        }
        long block = BLOCKS + ((long) (first >>> BLOCK_SHIFT) << 2);
        if (U.getInt(block) == 0) {
            U.compareAndSetInt(null, block, 0, first);
        }
        return first;
    }

    /** An array has at most 65,536 slots; longer ones have several elements a slot. */
    static int shift(int length) {
        return length <= 1 << MOST_SLOTS_SHIFT
                ? 0
                : 32 - Integer.numberOfLeadingZeros(length - 1 >>> MOST_SLOTS_SHIFT);
    }

    static void read(int id, int cell) {
        int seen = get(cell);
        if (seen < now) {
            firstRead(id, cell, seen);
        }
    }

    @DontInline
    private static void firstRead(int id, int cell, int seen) {
        int epoch = now;
        while (seen < epoch) {
            if (swap(cell, seen, epoch | READ | seen & EVER_WRITTEN)) {
                boolean stack = (seen & EVER_WRITTEN) != 0 || get(id + CREATOR) != 0;
                if (!stack) {
                    log(id, cell, epoch);
                } else if (!ResidueNative.readWithStack(id, cell, epoch)) {
                    // If the cell has changed, somebody was here whose access does count.
                    swap(cell, epoch | READ | seen & EVER_WRITTEN, seen);
                }
                return;
            }
            seen = get(cell);
        }
    }

    /** There is one log for odd and one for even epochs, so that one can be read at leisure. */
    private static void log(int id, int cell, int epoch) {
        int odd = epoch >>> EPOCH_SHIFT & 1;
        int at = U.getAndAddInt(null, CONTROL + 4 + 4 * odd, 1);
        if (at < 0 || at >= LOG_ENTRIES) {
            // Full: the agent counts what came too late.
            return;
        }
        long entry = LOGS + ((long) odd * LOG_ENTRIES + at) * LOG_ENTRY_BYTES;
        U.putInt(entry + 4, cell);
        U.putInt(entry + 8, id);
        U.putIntRelease(null, entry, epoch);
    }

    @ForceInline
    static boolean isWritten(int cell) {
        return get(cell) >= now + WRITTEN;
    }

    /** Notes a write. True if it is the first of the epoch, so that there is more to do. */
    static boolean write(int cell) {
        int epoch = now;
        int seen = get(cell);
        while (seen < epoch + WRITTEN) {
            int read = seen >= epoch ? seen & READ : 0;
            if (swap(cell, seen, epoch | read | WRITTEN | EVER_WRITTEN)) {
                return epoch >= 0;
            }
            seen = get(cell);
        }
        return false;
    }

    private static boolean swap(int cell, int from, int to) {
        return U.compareAndSetInt(null, BASE + ((long) cell << 2), from, to);
    }
}
