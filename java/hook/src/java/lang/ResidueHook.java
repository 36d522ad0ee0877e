package java.lang;

import static java.lang.ResidueNative.U;

import java.lang.reflect.Field;
import java.util.zip.Adler32;
import jdk.internal.vm.annotation.ForceInline;

/**
 * What rewritten code calls before each access, and what the runner calls between tests.
 *
 * <p>The fast path is one load and one test: the mark of a young object, or the cell of a static.
 * Nothing here throws, runs code of the JDK that is rewritten, or makes objects, but at the borders
 * of epochs. Methods that stand in for others are inherited.
 */
public final class ResidueHook extends ResidueArrays {
    /** Before JDK 17 Object has an initialiser, which runs before the hook can. */
    private static boolean ready;

    private ResidueHook() {}

    @ForceInline
    public static void staticRead(int field) {
        int cell = ResidueAccess.STATICS[field];
        if (cell != ResidueLimits.IGNORED && ResidueCells.get(cell) < ResidueCells.now) {
            ResidueAccess.staticRead(field);
        }
    }

    @ForceInline
    public static void staticWrite(int field) {
        int cell = ResidueAccess.STATICS[field];
        if (cell != ResidueLimits.IGNORED && !ResidueCells.isWritten(cell)) {
            ResidueAccess.staticWrite(field);
        }
    }

    @ForceInline
    public static void staticWriteRef(int field) {
        staticWrite(field);
    }

    @ForceInline
    public static void read(Object object, int field) {
        if (ResidueAccess.SLOTS[field] != ResidueLimits.IGNORED && object != null) {
            long mark = U.getLong(object, 0L);
            if ((mark & ResidueMark.MASK) != ResidueMark.YOUNG) {
                ResidueAccess.read(object, mark, field);
            }
        }
    }

    @ForceInline
    public static void write(Object object, int field) {
        if (ResidueAccess.SLOTS[field] != ResidueLimits.IGNORED && object != null) {
            long mark = U.getLong(object, 0L);
            if ((mark & ResidueMark.MASK) != ResidueMark.YOUNG) {
                ResidueAccess.write(object, mark, field);
            }
        }
    }

    @ForceInline
    public static void writeRef(Object object, int field) {
        write(object, field);
    }

    @ForceInline
    public static void elementRead(Object array, int index) {
        if (array != null) {
            long mark = U.getLong(array, 0L);
            if ((mark & ResidueMark.MASK) != ResidueMark.YOUNG) {
                ResidueAccess.elementRead(array, mark, index);
            }
        }
    }

    @ForceInline
    public static void elementWrite(Object array, int index) {
        if (array != null) {
            long mark = U.getLong(array, 0L);
            if ((mark & ResidueMark.MASK) != ResidueMark.YOUNG) {
                ResidueAccess.elementWrite(array, mark, index);
            }
        }
    }

    @ForceInline
    public static void elementWriteRef(Object array, int index) {
        elementWrite(array, index);
    }

    @ForceInline
    public static void cloning(Object object) {
        if (ResidueMark.mayBeOld(object)) {
            ResidueAccess.readWhole(object);
        }
    }

    public static void classInitialized() {
        if (ready) {
            ResidueEpochs.classInitialized();
        }
    }

    /** Once a flag is set, this is one load and one test. */
    @ForceInline
    public static void reached(int block) {
        long flag = ResidueWatching.FLAGS + block;
        if (U.getByte(null, flag) == 0) {
            U.putByte(null, flag, (byte) 1);
        }
    }

    public static void initializing(int type) {
        ResidueNative.initializing(type);
    }

    public static void initialized(int type) {
        ResidueNative.initialized(type);
    }

    public static void reflectRead(Field field, Object object) {
        ResidueReflection.touch(field, object, false);
    }

    public static void reflectWrite(Field field, Object object) {
        ResidueReflection.touch(field, object, true);
    }

    @ForceInline
    public static void hashing(Object array, int from, int length) {
        if (ResidueMark.mayBeOld(array)) {
            ResidueAccess.elementsRead(array, from, length);
        }
    }

    public static void propertyRead(Object properties, Object key) {
        ResidueProperties.read(properties, key);
    }

    public static void propertyWritten(Object properties, Object key) {
        ResidueProperties.written(properties, key);
    }

    public static void propertyWrittenOrRemoved(Object properties, Object key) {
        ResidueProperties.writtenOrRemoved(properties, key);
    }

    public static void propertiesCounted(Object properties) {
        ResidueProperties.counted(properties);
    }

    public static void propertiesRead(Object properties) {
        ResidueProperties.allRead(properties);
    }

    public static void propertiesWritten(Object properties) {
        ResidueProperties.allWritten(properties);
    }

    public static void methodHandleAccess(Object base) {
        if (ResidueCells.now >= 0 && ResidueMark.mayBeOld(base)) {
            ResidueReflection.methodHandle(base);
        }
    }

    /** From now on native code may run while the VM takes the thread for one that runs Java code. */
    public static void criticalLinking() {
        ResidueNative.criticalLinking();
    }

    /**
     * Loads a class that nobody has loaded so early. The agent is told, and links its methods with
     * this class as its caller.
     */
    private static void link() {
        load();
    }

    private static Class<?> load() {
        return Adler32.class;
    }

    /** Called by the agent before any Java code runs, so that what compiled code takes as constant is. */
    private static void initialize() {
        ready =
                ResidueMark.MASK != -1L
                        && ResidueCells.BASE != 0L
                        && ResidueAccess.SLOTS != null
                        && ResidueUndo.GONE != null
                        && ResidueWatching.FLAGS != 0L
                        && ResidueClasses.kind(ResidueClasses.record(0)) != 0;
        if (!ready) {
            ResidueNative.failed("the hook found no memory");
        }
    }

    /** A class has statics that may be written at their offset, by code that never names them. */
    private static void classPrepared(Class<?> type) {
        if (ResidueCells.now >= 0) {
            ResidueClasses.id(type);
        }
    }

    /** Native code is about to write a field, or a static of a class. */
    private static void nativeFieldWrite(Object holder, long offset) {
        if (ResidueCells.now >= 0 && holder != null) {
            if (holder instanceof Class) {
                ResidueClasses.id((Class<?>) holder);
            }
            ResidueAccess.touchOffset(holder, offset, 1L, true);
        }
    }

    /** Native code is about to write elements. */
    private static void nativeWrite(Object array, int from, int count) {
        if (ResidueMark.mayBeOld(array)) {
            ResidueAccess.elementsWritten(array, from, count);
        }
    }

    /** Native code has had a pointer to the elements, and may have written them. */
    private static void nativePointer(Object array) {
        if (ResidueCells.now >= 0 && array != null && ResidueMark.id(array) != 0) {
            ResidueNative.pointer();
        }
    }

    /** Ends the epoch before, if any, and starts one: 0 before a class, 1 a test, 2 after a class. */
    public static void boundary(int kind, int position) {
        ResidueEpochs.boundary(kind, position);
    }

    /** Ends the last epoch and with it the trace. */
    public static void finish() {
        ResidueEpochs.finish();
    }

    /**
     * What runs from now on is part of the epoch but counts for more than its tests: 1 for all tests
     * of the class, 2 for all tests, 0 as usual. A boundary ends it.
     */
    public static void counts(int whom) {
        ResidueNative.counts(whom);
    }

    /** Tells of an object that is kept from one test to the next without a static. */
    public static void root(Object object) {
        ResidueEpochs.root(object);
    }
}
