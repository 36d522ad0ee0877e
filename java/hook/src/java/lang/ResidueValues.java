package java.lang;

import static java.lang.ResidueNative.U;

/** Takes values apart so that the agent can print them. */
final class ResidueValues {
    static final int UNKNOWN = 0;
    private static final int NULL = 1;
    private static final int BOOLEAN = 2;
    private static final int CHARACTER = 3;
    private static final int INTEGER = 4;
    private static final int FLOAT = 5;
    private static final int DOUBLE = 6;
    static final int TEXT = 7;
    static final int CONSTANT = 8;
    static final int TYPE = 9;
    static final int OBJECT = 10;

    private ResidueValues() {}

    /** Tells the agent the value that a first write of an epoch is about to replace. */
    static void old(Object holder, int id, int cell, char type, long offset) {
        Object value = type == 'L' ? reference(holder, offset) : null;
        int kind = type == 'L' ? kind(value) : primitiveKind(type);
        long bits = type == 'L' ? bits(kind, value) : primitive(type, holder, offset);
        ResidueNative.wrote(holder, id, cell, ResidueCells.now, kind, bits, shown(kind, value));
    }

    /** A write whose value cannot be shown. */
    static void oldUnknown(Object holder, int id, int cell) {
        ResidueNative.wrote(holder, id, cell, ResidueCells.now, UNKNOWN, 0L, null);
    }

    static void current(int write, Object holder, int cell, char type, long offset) {
        Object value = type == 'L' ? reference(holder, offset) : null;
        int kind = type == 'L' ? kind(value) : primitiveKind(type);
        long bits = type == 'L' ? bits(kind, value) : primitive(type, holder, offset);
        ResidueNative.newValue(write, kind, bits, shown(kind, value));
        if (type == 'L') {
            ResidueHoldings.written(cell, value);
        }
    }

    static Object reference(Object holder, long offset) {
        return ResidueReferences.get(holder, offset);
    }

    static int kind(Object value) {
        if (value == null) {
            return NULL;
        }
        if (value instanceof String) {
            return TEXT;
        }
        if (value instanceof Boolean) {
            return BOOLEAN;
        }
        if (value instanceof Character) {
            return CHARACTER;
        }
        if (value instanceof Integer
                || value instanceof Long
                || value instanceof Short
                || value instanceof Byte) {
            return INTEGER;
        }
        if (value instanceof Float) {
            return FLOAT;
        }
        if (value instanceof Double) {
            return DOUBLE;
        }
        if (value instanceof Enum) {
            return CONSTANT;
        }
        return value instanceof Class ? TYPE : OBJECT;
    }

    /** For an object that is no value: its class in the high half, its id in the low half. */
    static long bits(int kind, Object value) {
        switch (kind) {
            case BOOLEAN:
                return ((Boolean) value).booleanValue() ? 1 : 0;
            case CHARACTER:
                return ((Character) value).charValue();
            case INTEGER:
                return integer(value);
            case FLOAT:
                return Float.floatToRawIntBits(((Float) value).floatValue());
            case DOUBLE:
                return Double.doubleToRawLongBits(((Double) value).doubleValue());
            case CONSTANT:
            case OBJECT:
                return (long) ResidueClasses.id(value.getClass()) << 32 | ResidueMark.id(value);
            default:
                return 0;
        }
    }

    private static long integer(Object value) {
        if (value instanceof Integer) {
            return ((Integer) value).intValue();
        }
        if (value instanceof Long) {
            return ((Long) value).longValue();
        }
        return value instanceof Short ? ((Short) value).shortValue() : ((Byte) value).byteValue();
    }

    static Object shown(int kind, Object value) {
        switch (kind) {
            case TEXT:
            case TYPE:
                return value;
            case CONSTANT:
                return ((Enum<?>) value).name();
            case OBJECT:
                // Without an id of its own the agent has to tell it from others.
                return ResidueMark.id(value) == 0 ? value : null;
            default:
                return null;
        }
    }

    static int primitiveKind(char type) {
        switch (type) {
            case 'Z':
                return BOOLEAN;
            case 'C':
                return CHARACTER;
            case 'F':
                return FLOAT;
            case 'D':
                return DOUBLE;
            default:
                return INTEGER;
        }
    }

    static long primitive(char type, Object holder, long offset) {
        switch (type) {
            case 'Z':
            case 'B':
                return U.getByte(holder, offset);
            case 'C':
                return U.getChar(holder, offset);
            case 'S':
                return U.getShort(holder, offset);
            case 'I':
            case 'F':
                return U.getInt(holder, offset);
            default:
                return U.getLong(holder, offset);
        }
    }
}
