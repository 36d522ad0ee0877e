import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/** Runs the methods t0, t1, ... of a class as tests, each in an epoch of its own. */
final class Scenario {
    static void run(Class<?> type) throws Exception {
        Class<?> hook = Class.forName("java.lang.ResidueHook");
        Method boundary = hook.getMethod("boundary", int.class, int.class);
        List<Method> tests = new ArrayList<>();
        Method before = null;
        for (int i = 0; i < 30; i++) {
            for (Method method : type.getDeclaredMethods()) {
                if (method.getName().equals("t" + i)) {
                    method.setAccessible(true);
                    tests.add(method);
                } else if (method.getName().equals("before")) {
                    method.setAccessible(true);
                    before = method;
                }
            }
        }
        if (before != null) {
            before.invoke(null);
        }
        for (int i = 0; i < tests.size(); i++) {
            boundary.invoke(null, 1, i);
            tests.get(i).invoke(null);
        }
        hook.getMethod("finish").invoke(null);
    }

    public static void main(String[] arguments) throws Exception {
        run(Class.forName(arguments[0], false, Scenario.class.getClassLoader()));
    }
}
