package residue.runner;

import java.lang.reflect.Method;
import java.nio.charset.Charset;

/**
 * The tracing agent's class. It is looked up by name, because without the agent it is not there;
 * then nothing happens here.
 */
final class AgentHook {
    private Method boundary;
    private Method counts;
    private Method finish;
    private Method root;

    AgentHook() {
        try {
            Class<?> hook = Class.forName("java.lang.ResidueHook");
            counts = hook.getMethod("counts", int.class);
            finish = hook.getMethod("finish");
            root = hook.getMethod("root", Object.class);
            boundary = hook.getMethod("boundary", int.class, int.class);
        } catch (ReflectiveOperationException notTraced) {
            return;
        }
        // JDK 25 looks it up when it is first needed, which is no test's doing.
        Charset.defaultCharset();
    }

    boolean isThere() {
        return boundary != null;
    }

    void boundary(int kind, int position) {
        call(boundary, kind, position);
    }

    void counts(int whom) {
        call(counts, whom);
    }

    void root(Object instance) {
        call(root, instance);
    }

    void finish() {
        call(finish);
    }

    private void call(Method method, Object... arguments) {
        if (!isThere()) {
            return;
        }
        try {
            method.invoke(null, arguments);
        } catch (ReflectiveOperationException unusable) {
            // The hook throws nothing. If it cannot be called the trace ends here, and says so.
            boundary = null;
        }
    }
}
