package residue.maven;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;

/**
 * Reads an object by names alone. Surefire's classes differ from version to version and live in
 * the plugin's own class loader, so nothing of them can be named at compile time.
 */
final class Mirror {
    private final Object target;

    Mirror(Object target) {
        this.target = target;
    }

    /** The value of the field, or else of the getter; null when there is neither. */
    Object get(String property) {
        Field field = field(property);
        if (field != null) {
            try {
                return field.get(target);
            } catch (IllegalAccessException e) {
                return null;
            }
        }
        String capitalised = Character.toUpperCase(property.charAt(0)) + property.substring(1);
        for (String getter : new String[] {"get" + capitalised, "is" + capitalised}) {
            try {
                return call(getter);
            } catch (NoSuchMethodException e) {
                continue;
            } catch (ReflectiveOperationException e) {
                return null;
            }
        }
        return null;
    }

    /** Sets the field; false when there is none of that name. */
    boolean set(String name, Object value) {
        Field field = field(name);
        if (field == null) {
            return false;
        }
        try {
            field.set(target, value);
            return true;
        } catch (IllegalAccessException e) {
            return false;
        }
    }

    /** Calls the method, whatever its visibility; trailing varargs may be left out. */
    Object call(String name, Object... arguments) throws ReflectiveOperationException {
        for (Class<?> type = target.getClass(); type != null; type = type.getSuperclass()) {
            for (Method method : type.getDeclaredMethods()) {
                if (!method.getName().equals(name)) {
                    continue;
                }
                Object[] actual = fit(method, arguments);
                if (actual != null && open(method)) {
                    try {
                        return method.invoke(target, actual);
                    } catch (InvocationTargetException e) {
                        throw new ReflectiveOperationException(name + ": " + e.getCause(), e.getCause());
                    }
                }
            }
        }
        throw new NoSuchMethodException(name);
    }

    private static Object[] fit(Method method, Object[] arguments) {
        Class<?>[] parameters = method.getParameterTypes();
        if (parameters.length == arguments.length) {
            return arguments;
        }
        if (method.isVarArgs() && parameters.length == arguments.length + 1) {
            Object[] actual = Arrays.copyOf(arguments, parameters.length);
            actual[arguments.length] = Array.newInstance(parameters[arguments.length].getComponentType(), 0);
            return actual;
        }
        return null;
    }

    private Field field(String name) {
        for (Class<?> type = target.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals(name) && open(field)) {
                    return field;
                }
            }
        }
        return null;
    }

    private static boolean open(AccessibleObject member) {
        try {
            member.setAccessible(true);
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }
}
