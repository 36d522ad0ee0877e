package residue.runner;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/**
 * Notes what is at the end of paths. Goes there by reflection, which sees fields of the project and
 * of its libraries; what the JDK keeps is reached through its public interface as far as it has
 * one ({@link Contents}, {@link JvmDefaults}).
 */
final class Keepsakes {
    private static final String INITIALISER = "<clinit>";
    private static final String THREAD_LOCALS = "<thread-locals>";

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
        if (path.name.equals(THREAD_LOCALS)) {
            return ofThreadLocals(owner, path);
        }
        List<Keepsake> kept = new ArrayList<Keepsake>();
        keep(new FieldSlot(null, owner.getDeclaredField(path.name)), path, 0, kept);
        return all(kept);
    }

    /** Which of several thread-locals is meant nobody knows: the way goes on from each that it fits. */
    private static Keepsake ofThreadLocals(Class<?> owner, StatePath path) throws Exception {
        List<Keepsake> kept = new ArrayList<Keepsake>();
        for (Field field : owner.getDeclaredFields()) {
            boolean isStatic = Modifier.isStatic(field.getModifiers());
            if (isStatic && ThreadLocal.class.isAssignableFrom(field.getType())) {
                ThreadLocalSlot slot = new ThreadLocalSlot(new FieldSlot(null, field).get());
                // To ask a thread-local is to fill it, and what it was filled with must stay as it is.
                Object value = slot.get();
                if (path.steps.isEmpty()) {
                    kept.add(slot.keep());
                    keepContents(value, kept);
                } else if (leadsOn(value, path.steps.get(0))) {
                    keep(slot, path, 0, kept);
                }
            }
        }
        if (kept.isEmpty()) {
            throw new IllegalArgumentException("the class has no thread-local for it in a static field");
        }
        return all(kept);
    }

    private static boolean leadsOn(Object value, StatePath.Step step) {
        boolean isArray = value != null && value.getClass().isArray();
        return value != null && (step.isIntoArray() ? isArray : declaring(value, step) != null);
    }

    /** Goes on from a slot by the steps of a path from this one on. */
    private static void keep(Slot slot, StatePath path, int next, List<Keepsake> kept) throws Exception {
        Object value = next == path.steps.size() ? null : slot.get();
        if (value == null) {
            // The end of the way, or whatever is there has come since.
            kept.add(slot.keep());
            return;
        }
        if (Contents.of(value) == null) {
            keep(slotIn(value, path.steps.get(next)), path, next + 1, kept);
            return;
        }
        // How a container keeps its elements nobody may touch, so the way goes on from each of them.
        int inside = path.stepIntoElement(next);
        if (inside < 0) {
            keepContents(value, kept);
            return;
        }
        int keptBefore = kept.size();
        for (Object element : Contents.within(value)) {
            if (declaring(element, path.steps.get(inside)) != null) {
                keep(slotIn(element, path.steps.get(inside)), path, inside + 1, kept);
            }
        }
        if (kept.size() == keptBefore) {
            throw new IllegalArgumentException("no such object is in the container");
        }
    }

    /** If it is a container, also what is in containers in it. */
    private static void keepContents(Object value, List<Keepsake> kept) {
        for (Object element : Contents.within(value)) {
            Keepsake contents = Contents.of(element);
            if (contents != null) {
                kept.add(contents);
            }
        }
    }

    private static Keepsake all(final List<Keepsake> kept) {
        return new Keepsake() {
            @Override
            public void putBack() throws Exception {
                for (Keepsake one : kept) {
                    one.putBack();
                }
            }
        };
    }

    private static Keepsake nothing() {
        return new Keepsake() {
            @Override
            public void putBack() {}
        };
    }

    private static Slot slotIn(Object value, StatePath.Step step) throws NoSuchFieldException {
        if (step.isIntoArray()) {
            return new Elements(value, step.first, step.last);
        }
        Class<?> type = declaring(value, step);
        if (type == null) {
            throw new IllegalArgumentException("there is another object on the way to it");
        }
        return new FieldSlot(value, type.getDeclaredField(step.fieldName));
    }

    /** @return the class with the field; null if the object has none such */
    private static Class<?> declaring(Object owner, StatePath.Step step) {
        Class<?> type = owner.getClass();
        while (type != null && !type.getName().equals(step.className)) {
            type = type.getSuperclass();
        }
        return type;
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

    /** Of the thread that runs the tests. */
    private static final class ThreadLocalSlot extends Slot {
        private final ThreadLocal<Object> local;

        @SuppressWarnings("unchecked")
        ThreadLocalSlot(Object local) {
            this.local = (ThreadLocal<Object>) local;
        }

        @Override
        Object get() {
            return local.get();
        }

        @Override
        Keepsake keep() {
            final Object value = get();
            return new Keepsake() {
                @Override
                public void putBack() {
                    if (value == null) {
                        local.remove();
                    } else {
                        local.set(value);
                    }
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
