package residue.runner.junit4;

import java.lang.reflect.Method;

/**
 * Takes JUnit's display names apart: {@code method(class)} for a test, any text for a container.
 * All versions have display names; the accessors for their parts came with 4.6.
 */
final class TestNames {
    private TestNames() {}

    /** The part before the class, or null if the name is not of the form {@code method(class)}. */
    static String methodOf(String displayName) {
        int open = openingOf(displayName);
        return open < 0 ? null : displayName.substring(0, open);
    }

    /** The class, or null if the name is not of the form {@code method(class)}. */
    static String classOf(String displayName) {
        int open = openingOf(displayName);
        return open < 0 ? null : displayName.substring(open + 1, displayName.length() - 1);
    }

    /** A class name has no parentheses, so the last opening one is where it starts. */
    private static int openingOf(String displayName) {
        int open = displayName.endsWith(")") ? displayName.lastIndexOf('(') : -1;
        return open <= 0 || open == displayName.length() - 2 ? -1 : open;
    }

    /** Whether a container is one of the parameter sets of a class, named in brackets. */
    static boolean isParameterSet(String containerName) {
        return containerName.startsWith("[");
    }

    /**
     * The method without what the framework appended to it. Parameter values may print with hash
     * codes or times, so that nothing of them may go into an id.
     *
     * @return {@code method} itself if it is the name of a method, or nothing better is known
     */
    static String withoutValues(String method, String containerName, String className) {
        if (isParameterSet(containerName) && method.endsWith(containerName)) {
            return method.substring(0, method.length() - containerName.length());
        }
        int end = 0;
        while (end < method.length() && Character.isJavaIdentifierPart(method.charAt(end))) {
            end++;
        }
        if (end == 0 || end == method.length()) {
            return method;
        }
        String prefix = method.substring(0, end);
        return hasMethod(className, prefix) ? prefix : method;
    }

    private static boolean hasMethod(String className, String methodName) {
        try {
            Class<?> type = Class.forName(className, false, ClassLoader.getSystemClassLoader());
            for (; type != null; type = type.getSuperclass()) {
                for (Method method : type.getDeclaredMethods()) {
                    if (method.getName().equals(methodName)) {
                        return true;
                    }
                }
            }
        } catch (ClassNotFoundException notAClass) {
            return false;
        } catch (LinkageError unusable) {
            return false;
        }
        return false;
    }
}
