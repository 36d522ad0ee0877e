import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/** Fields of old objects by way of method handles, which do not tell which field it is. */
final class Handles {
    /** Compared by method handles, which the JDK makes for records. */
    record Key(Box box, int number) {}

    static class Box {
        int content;
    }

    static final Box BOX = new Box();
    static final Key KEY = new Key(BOX, 1);
    static final MethodHandle CONTENT;

    static {
        try {
            CONTENT = MethodHandles.lookup().findGetter(Box.class, "content", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new AssertionError(impossible);
        }
    }

    static void t0() {
        Key same = new Key(BOX, 1);
        Aliasing.require(KEY.equals(same) && KEY.hashCode() == same.hashCode());
    }

    static void t1() throws Throwable {
        Aliasing.require((int) CONTENT.invokeExact(BOX) == 0);
    }
}
