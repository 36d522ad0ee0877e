package residue.runner.wire;

/**
 * What a static field holds. The kind of a primitive is its descriptor; the other kinds have
 * letters that are no descriptors.
 */
public final class FieldContent {
    static final char NULL = 'N';
    static final char TEXT = 'T';
    private static final char OTHER = 'O';
    private static final char UNREADABLE = 'E';
    private static final String PRIMITIVES = "ZBCSIJFD";

    public final char kind;
    /** Of a primitive; those of a float or double as they are. */
    public final long bits;
    /** Of a string, or why the field cannot be read; else null. */
    public final String text;

    private FieldContent(char kind, long bits, String text) {
        this.kind = kind;
        this.bits = bits;
        this.text = text;
    }

    public static FieldContent ofNull() {
        return new FieldContent(NULL, 0, null);
    }

    public static FieldContent ofText(String text) {
        return new FieldContent(TEXT, 0, text);
    }

    public static FieldContent ofPrimitive(char descriptor, long bits) {
        return new FieldContent(descriptor, bits, null);
    }

    /** An object, or a text that cannot be sent exactly. */
    public static FieldContent other() {
        return new FieldContent(OTHER, 0, null);
    }

    public static FieldContent unreadable(String reason) {
        return new FieldContent(UNREADABLE, 0, reason);
    }

    public boolean isPrimitive() {
        return PRIMITIVES.indexOf(kind) >= 0;
    }
}
