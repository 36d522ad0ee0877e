import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReference;

/** Ways to a field that are no field instructions. */
final class Indirect {
    static class Point implements Serializable, Cloneable {
        private static final long serialVersionUID = 1;
        int x;
        volatile int y;
        Object held;

        @Override
        protected Object clone() throws CloneNotSupportedException {
            return super.clone();
        }
    }

    static Point point = new Point();
    static int counter;
    static final AtomicInteger ATOMIC = new AtomicInteger();
    static final AtomicReference<Point> REFERENCE = new AtomicReference<>();

    static final VarHandle Y;
    static final VarHandle COUNTER;
    static final AtomicIntegerFieldUpdater<Point> UPDATER =
            AtomicIntegerFieldUpdater.newUpdater(Point.class, "y");
    static final Field X;
    static final Field COUNTER_FIELD;

    static {
        try {
            Y = MethodHandles.lookup().findVarHandle(Point.class, "y", int.class);
            COUNTER = MethodHandles.lookup().findStaticVarHandle(Indirect.class, "counter", int.class);
            X = Point.class.getDeclaredField("x");
            COUNTER_FIELD = Indirect.class.getDeclaredField("counter");
        } catch (ReflectiveOperationException impossible) {
            throw new AssertionError(impossible);
        }
    }

    // W Indirect.point -> Indirect$Point.x: 0 -> 1
    // W Indirect.counter: 0 -> 1
    static void t0() throws Exception {
        X.setInt(point, 1);
        COUNTER_FIELD.set(null, 1);
    }

    // R Indirect.point -> Indirect$Point.x
    // R Indirect.counter
    static void t1() throws Exception {
        Aliasing.require(X.getInt(point) == 1 && COUNTER_FIELD.getInt(null) == 1);
    }

    // W Indirect.point -> Indirect$Point.y: 0 -> 2
    // W Indirect.counter: 1 -> 2
    static void t2() {
        Y.setVolatile(point, 2);
        COUNTER.set(2);
    }

    // R Indirect.point -> Indirect$Point.y
    // R Indirect.counter
    static void t3() {
        Aliasing.require((int) Y.getAcquire(point) == 2 && (int) COUNTER.get() == 2);
    }

    // R Indirect.point -> Indirect$Point.y
    // W Indirect.point -> Indirect$Point.y: 2 -> 3
    static void t4() {
        UPDATER.incrementAndGet(point);
    }

    // An exchange that fails writes nothing.
    // R Indirect.point -> Indirect$Point.y
    static void t5() {
        Aliasing.require(!UPDATER.compareAndSet(point, 99, 0));
        Aliasing.require(UPDATER.get(point) == 3);
    }

    // W Indirect.ATOMIC -> AtomicInteger.value: 0 -> 5
    // W Indirect.REFERENCE -> AtomicReference.value: null -> Indirect$Point
    static void t6() {
        ATOMIC.set(5);
        REFERENCE.set(new Point());
    }

    // R Indirect.ATOMIC -> AtomicInteger.value
    // W Indirect.ATOMIC -> AtomicInteger.value: 5 -> 6
    // R Indirect.REFERENCE -> AtomicReference.value
    // W Indirect.REFERENCE -> AtomicReference.value -> Indirect$Point.x: 0 -> 8
    static void t7() {
        ATOMIC.incrementAndGet();
        REFERENCE.get().x = 8;
    }

    // Serialisation and clone read every field.
    // R Indirect.point -> Indirect$Point.x
    // R Indirect.point -> Indirect$Point.y
    static void t8() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(point);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            Point copy = (Point) in.readObject();
            Aliasing.require(copy.x == 1 && copy.y == 3);
            copy.x = 77;
        }
    }

    // R Indirect.point -> Indirect$Point.x
    // R Indirect.point -> Indirect$Point.y
    static void t9() throws Exception {
        Point copy = (Point) point.clone();
        copy.x = 50;
        Aliasing.require(copy.y == 3);
    }
}
