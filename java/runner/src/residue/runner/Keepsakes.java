package residue.runner;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;

/**
 * Notes what is at the end of paths. Goes there by reflection, which sees fields of the project and
 * of its libraries; what the JDK keeps is reached through its public interface as far as it has
 * one ({@link Contents}, {@link JvmDefaults}).
 */
final class Keepsakes {
    private static final String INITIALISER = "<clinit>";

    private final ClassLoader loader;

    Keepsakes(ClassLoader loader) {
        this.loader = loader;
    }

    Keepsake of(StatePath path) throws Exception {
        if (path.className == null) {
            return JvmDefaults.property(path.name);
        }
        Keepsake known = JvmDefaults.of(path.className, path.name);
        if (known != null) {
            return known;
        }
        // A class that nobody has used yet is initialised first: else its initialiser would undo this.
        Class<?> owner = Class.forName(path.className, true, loader);
        if (path.name.equals(INITIALISER)) {
            return nothing();
        }
        Slot slot = new FieldSlot(null, owner.getDeclaredField(path.name));
        for (StatePath.Step step : path.steps) {
            Object value = slot.get();
            if (value == null) {
                // Whatever is at the end of the way has come since.
                break;
            }
            Keepsake contents = Contents.of(value);
            if (contents != null) {
                return contents;
            }
            slot = step.isIntoArray() ? new Elements(value, step.first, step.last) : field(value, step);
        }
        return slot.keep();
    }

    private static Keepsake nothing() {
        return new Keepsake() {
            @Override
            public void putBack() {}
        };
    }

    private static Slot field(Object owner, StatePath.Step step) throws NoSuchFieldException {
        for (Class<?> type = owner.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals(step.className)) {
                return new FieldSlot(owner, type.getDeclaredField(step.fieldName));
            }
        }
        throw new IllegalArgumentException("there is another object on the way to it");
    }

    private abstract static class Slot {
        abstract Object get() throws Exception;

        abstract Keepsake keep() throws Exception;
    }

    private static final class FieldSlot extends Slot {
        private final Object owner;
        private final Field field;

        FieldSlot(Object owner, Field field) {
            this.owner = owner;
            this.field = field;
            field.setAccessible(true);
        }

        @Override
        Object get() throws Exception {
            return field.get(owner);
        }

        @Override
        Keepsake keep() throws Exception {
            if (Modifier.isFinal(field.getModifiers())) {
                throw new IllegalArgumentException("the field is final");
            }
            final Object value = get();
            return new Keepsake() {
                @Override
                public void putBack() throws Exception {
                    field.set(owner, value);
                }
            };
        }
    }

    private static final class Elements extends Slot {
        private final Object array;
        private final int first;
        private final int count;

        Elements(Object array, int first, int last) {
            if (!array.getClass().isArray()) {
                throw new IllegalArgumentException("there is another object on the way to it");
            }
            this.array = array;
            this.first = first;
            this.count = Math.max(0, Math.min(last + 1, Array.getLength(array)) - first);
        }

        @Override
        Object get() {
            return count == 0 ? null : Array.get(array, first);
        }

        @Override
        Keepsake keep() {
            final Object copy = Array.newInstance(array.getClass().getComponentType(), count);
            System.arraycopy(array, first, copy, 0, count);
            return new Keepsake() {
                @Override
                public void putBack() {
                    System.arraycopy(copy, 0, array, first, count);
                }
            };
        }
    }
}
