package java.lang;

/**
 * Numbers that are equal for equal values in all runs: of texts, and of objects that cannot change
 * and are therefore not tracked, such as dates. {@code residue_model::trace::digest} does the same
 * with texts.
 */
final class ResidueDigest {
    /** An object that cannot change, by its class and a digest of its fields. */
    static final int VALUE = 11;

    static final int DIGEST = 12;

    private static final int LONGEST_TEXT = 1 << 16;

    /** Values inside values that are looked into. */
    private static final int DEEPEST = 8;

    /** Longer printed texts are cut. */
    private static final int LONGEST_PRINTED = 80;

    /** Stands for what has no digest. */
    private static final long UNKNOWN = 0;

    private ResidueDigest() {}

    static long mix(long digest, long more) {
        long mixed = (digest ^ more) * 0x9E3779B97F4A7C15L;
        return mixed ^ mixed >>> 29;
    }

    /** Of the UTF-16 units; 0 for one that is too long. */
    static long text(String text) {
        int length = text.length();
        if (length > LONGEST_TEXT) {
            return UNKNOWN;
        }
        long digest = length + 1;
        for (int i = 0; i < length; i++) {
            digest = mix(digest, text.charAt(i));
        }
        return digest;
    }

    /** Whether the value as it is printed tells all of it. */
    static boolean isSimple(Object value) {
        if (value instanceof String) {
            return ((String) value).length() <= LONGEST_PRINTED;
        }
        int kind = ResidueValues.kind(value);
        return kind != ResidueValues.OBJECT;
    }

    /** The kind for the agent: that of {@link ResidueValues}, or one of the above. */
    static int kind(Object value) {
        int kind = ResidueValues.kind(value);
        if (kind == ResidueValues.CONSTANT || kind == ResidueValues.TYPE) {
            return VALUE;
        }
        return kind == ResidueValues.OBJECT && ResidueMark.id(value) == 0 ? VALUE : kind;
    }

    static long bits(int kind, Object value) {
        if (kind == VALUE) {
            return value(value, 0);
        }
        if (kind == ResidueValues.TEXT) {
            return text((String) value);
        }
        return ResidueValues.bits(kind, value);
    }

    /** What tells a value from others of its class. */
    private static long value(Object value, int depth) {
        if (value instanceof Enum) {
            return text(((Enum<?>) value).name());
        }
        if (value instanceof Class) {
            return ResidueNative.classDigest(ResidueClasses.id((Class<?>) value));
        }
        int type = ResidueClasses.id(value.getClass());
        long record = ResidueClasses.record(type);
        if (type == 0 || ResidueClasses.kind(record) != ResidueClasses.VALUE || depth == DEEPEST) {
            return UNKNOWN;
        }
        if (value.getClass() == Object.class) {
            // It is made to be told from others by identity alone.
            return UNKNOWN;
        }
        long digest = 1;
        int slots = ResidueClasses.slots(record);
        for (int slot = 0; slot < slots; slot++) {
            long place = ResidueClasses.slotPlaceOf(record, slot);
            if (place != 0) {
                char shape = ResidueClasses.type(place);
                long field =
                        shape == 'L'
                                ? field(ResidueReferences.get(value, (int) place), depth + 1)
                                : ResidueValues.primitive(shape, value, (int) place) | 1L << 63;
                if (field == UNKNOWN) {
                    return UNKNOWN;
                }
                digest = mix(digest, field);
            }
        }
        return digest;
    }

    /** Of the elements of an array of primitives. */
    private static long array(Object array, long record) {
        int length = ResidueClasses.length(array);
        if (ResidueClasses.kind(record) != ResidueClasses.PRIMITIVE_ARRAY || length > LONGEST_TEXT) {
            return UNKNOWN;
        }
        char type = ResidueClasses.elementType(record);
        long digest = length + 1;
        for (int i = 0; i < length; i++) {
            long offset = ResidueClasses.elementOffset(record, i);
            digest = mix(digest, ResidueValues.primitive(type, array, offset));
        }
        return digest;
    }

    private static long field(Object value, int depth) {
        int kind = kind(value);
        if (kind == ResidueValues.OBJECT) {
            return UNKNOWN;
        }
        if (kind == VALUE && ResidueClasses.isArray(ResidueClasses.of(value.getClass()))) {
            return array(value, ResidueClasses.of(value.getClass()));
        }
        if (kind != VALUE) {
            long bits = bits(kind, value);
            return kind == ResidueValues.TEXT && bits == UNKNOWN ? UNKNOWN : mix(kind, bits);
        }
        long digest = value(value, depth);
        long type = ResidueNative.classDigest(ResidueClasses.id(value.getClass()));
        return digest == UNKNOWN || type == UNKNOWN ? UNKNOWN : mix(type, digest);
    }
}
