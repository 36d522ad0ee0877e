import java.lang.reflect.Method;

/** Ends in the middle of its second test, in the way it is told to. */
final class Dying {
    static int counter;

    public static void main(String[] arguments) throws Exception {
        Class<?> hook = Class.forName("java.lang.ResidueHook");
        Method boundary = hook.getMethod("boundary", int.class, int.class);
        boundary.invoke(null, 1, 0);
        counter = 1;
        boundary.invoke(null, 1, 1);
        counter = 2;
        if (arguments[0].equals("exit")) {
            System.exit(3);
        } else {
            Runtime.getRuntime().halt(3);
        }
    }
}
