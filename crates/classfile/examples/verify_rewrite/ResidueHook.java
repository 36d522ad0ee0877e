package java.lang;

import jdk.internal.misc.Unsafe;

/** Hooks that do nothing, and calls that go on to what they stand for. */
public final class ResidueHook {
    private ResidueHook() {}

    public static void staticRead(int field) {}

    public static void staticWrite(int field) {}

    public static void staticWriteRef(int field) {}

    public static void read(Object receiver, int field) {}

    public static void write(Object receiver, int field) {}

    public static void writeRef(Object receiver, int field) {}

    public static void elementRead(Object array, int index) {}

    public static void elementWrite(Object array, int index) {}

    public static void elementWriteRef(Object array, int index) {}

    public static void cloning(Object original) {}

    public static void classInitialized() {}

    public static void reached(int block) {}

    public static void initializing(int type) {}

    public static void initialized(int type) {}

    public static void arraycopy(Object from, int fromIndex, Object to, int toIndex, int length) {
        System.arraycopy(from, fromIndex, to, toIndex, length);
    }

    public static int getInt(Unsafe unsafe, Object object, long offset) {
        return unsafe.getInt(object, offset);
    }

    public static void putInt(Unsafe unsafe, Object object, long offset, int value) {
        unsafe.putInt(object, offset, value);
    }

    public static long getLongVolatile(Unsafe unsafe, Object object, long offset) {
        return unsafe.getLongVolatile(object, offset);
    }

    public static void putLongVolatile(Unsafe unsafe, Object object, long offset, long value) {
        unsafe.putLongVolatile(object, offset, value);
    }

    public static Object getReferenceAcquire(Unsafe unsafe, Object object, long offset) {
        return unsafe.getReferenceAcquire(object, offset);
    }

    public static void putReferenceRelease(Unsafe unsafe, Object object, long offset, Object value) {
        unsafe.putReferenceRelease(object, offset, value);
    }

    public static boolean compareAndSetInt(Unsafe unsafe, Object object, long offset, int old, int value) {
        return unsafe.compareAndSetInt(object, offset, old, value);
    }

    public static boolean compareAndSetLong(Unsafe unsafe, Object object, long offset, long old, long value) {
        return unsafe.compareAndSetLong(object, offset, old, value);
    }

    public static boolean compareAndSetReference(
            Unsafe unsafe, Object object, long offset, Object old, Object value) {
        return unsafe.compareAndSetReference(object, offset, old, value);
    }

    public static int getAndAddInt(Unsafe unsafe, Object object, long offset, int delta) {
        return unsafe.getAndAddInt(object, offset, delta);
    }
}
