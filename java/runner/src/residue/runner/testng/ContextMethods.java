package residue.runner.testng;

import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.testng.ITestContext;
import org.testng.ITestNGMethod;
import residue.runner.TestIds;

/** The test methods of one TestNG test, with the numbers of the instances that they belong to. */
final class ContextMethods {
    private final Map<String, Map<Object, Integer>> instances =
            new HashMap<String, Map<Object, Integer>>();
    private final Map<MethodKey, ITestNGMethod> methods =
            new LinkedHashMap<MethodKey, ITestNGMethod>();
    private final Set<String> overloaded = new HashSet<String>();

    ContextMethods(ITestContext context) {
        Map<String, String> seenTypes = new HashMap<String, String>();
        for (ITestNGMethod method : context.getAllTestMethods()) {
            number(method);
            MethodKey key = key(method);
            methods.put(key, method);
            String name = key.className + "#" + key.method;
            String types = seenTypes.put(name, key.parameterTypes);
            if (types != null && !types.equals(key.parameterTypes)) {
                overloaded.add(name);
            }
        }
    }

    /** All test methods that TestNG would run, in no order to rely on. */
    Map<MethodKey, ITestNGMethod> all() {
        return methods;
    }

    MethodKey key(ITestNGMethod method) {
        Map<Object, Integer> numbers = instances.get(method.getTestClass().getName());
        Integer number = numbers == null ? null : numbers.get(method.getInstance());
        return MethodKey.of(method, number == null ? 0 : number);
    }

    int instanceCount(String className) {
        Map<Object, Integer> numbers = instances.get(className);
        return numbers == null ? 0 : numbers.size();
    }

    /** The id of the method on its instance; the caller appends the invocation. */
    String name(MethodKey key) {
        StringBuilder text = new StringBuilder(TestIds.of(key.className, key.method));
        if (overloaded.contains(key.className + "#" + key.method)) {
            ITestNGMethod method = methods.get(key);
            text.append(
                    TestIds.parameters(
                            method.getConstructorOrMethod().getMethod().getParameterTypes()));
        }
        if (instanceCount(key.className) > 1) {
            text.append(TestIds.index(key.instance));
        }
        return text.toString();
    }

    /** TestNG runs instances in the order of their hash codes, but keeps them as they were made. */
    private void number(ITestNGMethod method) {
        String className = method.getTestClass().getName();
        Map<Object, Integer> numbers = instances.get(className);
        if (numbers == null) {
            numbers = new IdentityHashMap<Object, Integer>();
            instances.put(className, numbers);
            Class<?> type = method.getTestClass().getRealClass();
            for (Object instance : method.getTestClass().getInstances(false)) {
                numbers.put(Versions.unwrapped(instance, type), numbers.size());
            }
        }
        if (!numbers.containsKey(method.getInstance())) {
            numbers.put(method.getInstance(), numbers.size());
        }
    }
}
