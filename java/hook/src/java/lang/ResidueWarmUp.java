package java.lang;

/**
 * Lets the hooks meet an old object from time to time while there are none yet. What never happens
 * the compiler leaves out of its code; then each compiled method would be thrown away and compiled
 * again when it meets its first old object.
 */
final class ResidueWarmUp {
    private static final int NO_FIELD = 0;
    private static final int[] OLD = new int[1];

    static {
        ResidueMark.makeOld(OLD, ResidueCells.allocate(ResidueCells.ARRAY_HEADER + 1));
    }

    private ResidueWarmUp() {}

    static void touchOld() {
        if (ResidueCells.now < 0) {
            ResidueHook.read(OLD, NO_FIELD);
            ResidueHook.write(OLD, NO_FIELD);
            ResidueHook.elementRead(OLD, 0);
            ResidueHook.elementWrite(OLD, 0);
        }
    }
}
