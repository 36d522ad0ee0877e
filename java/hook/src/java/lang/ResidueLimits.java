package java.lang;

/** Numbers that the hook and the agent agree on. */
final class ResidueLimits {
    // What ResidueNative.constant is asked for.
    static final int MARKS_ALLOWED = 0;
    static final int CELLS = 1;
    static final int CELL_LIMIT = 2;
    static final int CLASSES = 3;
    static final int CONTROL = 4;
    static final int READ_LOGS = 5;
    static final int READ_LOG_ENTRIES = 6;
    static final int STACK_TABLE = 7;
    static final int STACK_TABLE_ENTRIES = 8;
    static final int THREAD_NATIVE_PART = 9;
    static final int FIELD_LIMIT = 10;
    static final int STATIC_LIMIT = 11;
    static final int BLOCK_INDEX = 12;
    static final int UNSAFE_SAYS_OBJECT = 13;
    static final int STATIC_PROBE_OFFSET = 14;
    static final int PROBE_OFFSET = 15;
    static final int UNDO = 16;
    static final int FLAGS = 17;

    /** Of field tables: the field is not tracked. */
    static final int IGNORED = 1;

    /** To be found by its offset. */
    static int probe = 0x5eed0b1e;

    private ResidueLimits() {}
}
