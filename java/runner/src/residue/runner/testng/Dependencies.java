package residue.runner.testng;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.testng.ITestNGMethod;

/** Which methods must have run before a method, by what their annotations declare. */
final class Dependencies {
    private final Map<MethodKey, ITestNGMethod> methods;
    private final Map<MethodKey, Integer> places;

    /** @param places the places of the methods in TestNG's own order */
    Dependencies(Map<MethodKey, ITestNGMethod> methods, Map<MethodKey, Integer> places) {
        this.methods = methods;
        this.places = places;
    }

    /** The places of the methods that this one declares to depend on. */
    List<Integer> of(MethodKey key) {
        ITestNGMethod method = methods.get(key);
        String[] names = method.getMethodsDependedUpon();
        String[] groups = method.getGroupsDependedUpon();
        if (names.length == 0 && groups.length == 0) {
            return Collections.emptyList();
        }
        List<Integer> found = new ArrayList<Integer>();
        for (Map.Entry<MethodKey, Integer> other : places.entrySet()) {
            boolean needed =
                    !other.getKey().equals(key)
                            && (isNamed(other.getKey(), names, key.className)
                                    || isInGroup(methods.get(other.getKey()), groups));
            if (needed) {
                found.add(other.getValue());
            }
        }
        return found;
    }

    /** TestNG qualifies names of inherited methods by the declaring or by the running class. */
    private static boolean isNamed(MethodKey other, String[] names, String dependentClass) {
        for (String name : names) {
            boolean sameName = name.substring(name.lastIndexOf('.') + 1).equals(other.method);
            if (sameName
                    && (other.className.equals(dependentClass)
                            || name.equals(other.className + "." + other.method))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isInGroup(ITestNGMethod other, String[] patterns) {
        MethodGroups groups = new MethodGroups(other.getGroups());
        for (String pattern : patterns) {
            if (groups.has(pattern)) {
                return true;
            }
        }
        return false;
    }
}
