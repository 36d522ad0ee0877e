import java.util.concurrent.Callable;

/** Runs the {@code run} method of each class named, and prints what was called and what came out. */
public final class Driver {
    private Driver() {}

    public static void main(String[] names) throws Exception {
        for (String name : names) {
            Callable<?> scenario = () -> Class.forName(name).getMethod("run").invoke(null);
            LogHook.calls.clear();
            LogHook.blocks.clear();
            Object result;
            try {
                result = scenario.call();
            } catch (Exception problem) {
                result = problem.getCause() == null ? problem : problem.getCause();
            }
            System.out.println("scenario " + name);
            LogHook.calls.forEach(call -> System.out.println("hook " + call));
            LogHook.blocks.forEach(block -> System.out.println("block " + block));
            System.out.println("result " + result);
        }
    }
}
