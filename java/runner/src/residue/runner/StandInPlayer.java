package residue.runner;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import residue.runner.wire.EventWriter;
import residue.runner.wire.FieldContent;

/**
 * Puts stand-ins in place before tests, and tells what tests leave in fields. Never throws: what
 * cannot be done is reported, and the host lets the tests run again without it.
 */
final class StandInPlayer {
    private final StandIns standIns;
    private final ClassLoader loader;
    private final EventWriter events;

    StandInPlayer(StandIns standIns, ClassLoader loader, EventWriter events) {
        this.standIns = standIns;
        this.loader = loader;
        this.events = events;
    }

    boolean hasNothingToDo() {
        return standIns.isEmpty();
    }

    void testBegins(int test) {
        for (StandIns.Entry entry : standIns.before(test)) {
            try {
                put(field(entry), entry.value);
            } catch (Throwable thrown) {
                events.standInRefused(entry.number, reason(thrown));
            }
        }
    }

    void testIsOver(int test) {
        for (StandIns.Entry entry : standIns.after(test)) {
            FieldContent content;
            try {
                content = content(field(entry));
            } catch (Throwable thrown) {
                content = FieldContent.unreadable(reason(thrown));
            }
            events.fieldLeft(entry.number, content);
        }
    }

    /** Whoever left a value in the field has initialised its class, so that is done here too. */
    private Field field(StandIns.Entry entry) throws ReflectiveOperationException {
        Class<?> owner = Class.forName(entry.className, true, loader);
        Field field = owner.getDeclaredField(entry.fieldName);
        if (!Modifier.isStatic(field.getModifiers())) {
            throw new IllegalArgumentException("the field is not static");
        }
        field.setAccessible(true);
        return field;
    }

    private static void put(Field field, FieldContent value) throws IllegalAccessException {
        if (Modifier.isFinal(field.getModifiers())) {
            throw new IllegalArgumentException("the field is final");
        }
        Class<?> type = field.getType();
        if (value.isPrimitive()) {
            if (descriptor(type) != value.kind) {
                throw new IllegalArgumentException("the field is of type " + type.getName());
            }
            putPrimitive(field, value.kind, value.bits);
        } else {
            // Most texts that tests leave are literals, which are interned.
            field.set(null, value.text == null ? null : value.text.intern());
        }
    }

    private static void putPrimitive(Field field, char type, long bits)
            throws IllegalAccessException {
        switch (type) {
            case 'Z':
                field.setBoolean(null, bits != 0);
                break;
            case 'B':
                field.setByte(null, (byte) bits);
                break;
            case 'C':
                field.setChar(null, (char) bits);
                break;
            case 'S':
                field.setShort(null, (short) bits);
                break;
            case 'I':
                field.setInt(null, (int) bits);
                break;
            case 'J':
                field.setLong(null, bits);
                break;
            case 'F':
                field.setFloat(null, Float.intBitsToFloat((int) bits));
                break;
            default:
                field.setDouble(null, Double.longBitsToDouble(bits));
        }
    }

    private static FieldContent content(Field field) throws IllegalAccessException {
        char type = descriptor(field.getType());
        if (type != 0) {
            return FieldContent.ofPrimitive(type, primitive(field, type));
        }
        Object value = field.get(null);
        if (value == null) {
            return FieldContent.ofNull();
        }
        boolean isText = value instanceof String && isUnicode((String) value);
        return isText ? FieldContent.ofText((String) value) : FieldContent.other();
    }

    private static long primitive(Field field, char type) throws IllegalAccessException {
        switch (type) {
            case 'Z':
                return field.getBoolean(null) ? 1 : 0;
            case 'C':
                return field.getChar(null);
            case 'F':
                return Float.floatToRawIntBits(field.getFloat(null));
            case 'D':
                return Double.doubleToRawLongBits(field.getDouble(null));
            default:
                return field.getLong(null);
        }
    }

    /** 0 if it is no primitive. */
    private static char descriptor(Class<?> type) {
        if (!type.isPrimitive()) {
            return 0;
        }
        if (type == boolean.class) {
            return 'Z';
        }
        return type == long.class ? 'J' : Character.toUpperCase(type.getName().charAt(0));
    }

    /** Whether UTF-8 can say it: a surrogate on its own it cannot. */
    private static boolean isUnicode(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                boolean isPair =
                        i + 1 < text.length()
                                && Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1));
                if (!isPair) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }

    /** Ours in our words, others with their class. */
    static String reason(Throwable thrown) {
        boolean isOurs = thrown.getClass() == IllegalArgumentException.class;
        return isOurs && thrown.getMessage() != null ? thrown.getMessage() : thrown.toString();
    }
}
