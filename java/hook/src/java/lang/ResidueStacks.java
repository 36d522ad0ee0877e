package java.lang;

import static java.lang.ResidueNative.U;

/**
 * Which addresses are on the stack of the current thread. A lock of the own thread, the usual case,
 * can then be looked at without asking the operating system.
 *
 * <p>Entries are {thread, lowest address, highest address}. A thread enters itself and is taken out
 * when it ends, before its memory can be used for another one.
 */
final class ResidueStacks {
    private static final long TABLE = ResidueNative.constant(ResidueLimits.STACK_TABLE);
    private static final int ENTRIES = (int) ResidueNative.constant(ResidueLimits.STACK_TABLE_ENTRIES);
    /** Where a Thread has the address of its native part. */
    private static final long NATIVE_PART = ResidueNative.constant(ResidueLimits.THREAD_NATIVE_PART);

    private static final int ENTRY_BYTES = 24;
    private static final int PROBES = 8;

    private ResidueStacks() {}

    static boolean isOwn(long address) {
        Thread current = Thread.currentThread();
        if (NATIVE_PART <= 0 || current == null) {
            return false;
        }
        long thread = U.getLong(current, NATIVE_PART);
        if (thread == 0) {
            return false;
        }
        int first = (int) (thread >>> 6 ^ thread >>> 18);
        for (int probe = 0; probe < PROBES; probe++) {
            long entry = TABLE + (long) (first + probe & ENTRIES - 1) * ENTRY_BYTES;
            if (U.getLong(entry) == thread) {
                return U.getLong(entry + 8) <= address && address < U.getLong(entry + 16);
            }
        }
        ResidueNative.registerStack(thread);
        return false;
    }
}
