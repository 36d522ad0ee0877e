package residue.runner.testng;

import java.util.Objects;
import org.testng.ITestNGMethod;

/** One test method of one instance of a test class. */
final class MethodKey {
    /** The class that runs, not the one that declares an inherited method. */
    final String className;
    final String method;
    /** Binary names of the parameter types, separated by commas. */
    final String parameterTypes;
    /** Which instance of the class, in the order in which factories made them. */
    final int instance;

    MethodKey(String className, String method, String parameterTypes, int instance) {
        this.className = className;
        this.method = method;
        this.parameterTypes = parameterTypes;
        this.instance = instance;
    }

    static MethodKey of(ITestNGMethod method, int instance) {
        StringBuilder types = new StringBuilder();
        for (Class<?> type : method.getConstructorOrMethod().getMethod().getParameterTypes()) {
            types.append(types.length() > 0 ? "," : "").append(type.getName());
        }
        return new MethodKey(
                method.getTestClass().getName(), method.getMethodName(), types.toString(), instance);
    }

    MethodKey withInstance(int other) {
        return new MethodKey(className, method, parameterTypes, other);
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof MethodKey)) {
            return false;
        }
        MethodKey key = (MethodKey) other;
        return instance == key.instance
                && method.equals(key.method)
                && className.equals(key.className)
                && parameterTypes.equals(key.parameterTypes);
    }

    @Override
    public int hashCode() {
        return Objects.hash(className, method, parameterTypes, instance);
    }
}
