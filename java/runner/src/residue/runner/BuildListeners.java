package residue.runner;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;

/** The listeners that the build adds to a test framework. */
public final class BuildListeners {
    private BuildListeners() {}

    /** Those that the framework with this kind of listener can use; a build may name others too. */
    public static <T> List<T> of(Setup setup, Class<T> kind) throws Exception {
        List<T> listeners = new ArrayList<T>();
        for (String name : setup.listeners) {
            Class<?> listener;
            try {
                listener = Class.forName(name, false, ClassLoader.getSystemClassLoader());
            } catch (ClassNotFoundException absent) {
                throw new IllegalStateException(
                        "the build names a listener that is not on the class path: " + name, absent);
            }
            if (kind.isAssignableFrom(listener)) {
                listeners.add(kind.cast(make(listener)));
            }
        }
        return listeners;
    }

    private static Object make(Class<?> listener) throws Exception {
        try {
            Constructor<?> constructor = listener.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (NoSuchMethodException unusable) {
            throw new IllegalStateException(
                    "a listener of the build has no constructor without arguments: " + listener.getName(), unusable);
        } catch (InvocationTargetException thrown) {
            throw new IllegalStateException(
                    "a listener of the build cannot be made: " + listener.getName(), thrown.getCause());
        }
    }
}
