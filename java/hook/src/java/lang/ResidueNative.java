package java.lang;

import jdk.internal.misc.Unsafe;

/**
 * The native side of the hook: everything that needs names, files, stacks or JVMTI. All methods are
 * linked before any hook runs. None throws, none runs Java code.
 */
final class ResidueNative {
    static final Unsafe U = Unsafe.getUnsafe();

    private ResidueNative() {}

    /** A number that is fixed for the life of the JVM; see the constants of the caller. */
    static native long constant(int which);

    /** What is wrong becomes a gap in the trace, and tracking stops for good. */
    static native void failed(Object what);

    /** Marks cannot be used: every look-up goes through tags. */
    static native void marksUnknown();

    /** The identity hash, asked without running code of the JDK. */
    static native int identityHash(Object object);

    /** Makes the lock of this object a monitor, held by nobody. */
    static native void inflate(Object object);

    /** Eight bytes at this address, or 0 if nothing can be read there. */
    static native long peek(long address);

    /** Enters the current thread, whose native part is at this address, into {@link ResidueStacks}. */
    static native void registerStack(long thread);

    static native int tag(Object object);

    static native void setTag(Object object, int id);

    /** The slot of an instance field plus 2, or 1 if the field is not tracked. */
    static native int resolveField(int field);

    /** The cell of a static field, 1 if the field is not tracked, 0 if its class is not there yet. */
    static native int resolveStatic(int field);

    /** The static is about to be written, and its class to be loaded for that. */
    static native void writeUnresolved(int field, int now);

    /** Describes a class that is met for the first time; returns the id of its statics. */
    static native int describe(Class<?> type);

    /** The class to whose statics this id belongs, or null if it is gone. */
    static native Class<?> mirror(int id);

    /** The slot of a field of this class, or -1 if it is not tracked. */
    static native int slotOf(int classId, String field, boolean isStatic);

    /**
     * The read is the first of its epoch, and where it happens matters. False if no test is to blame,
     * so that the read does not count.
     */
    static native boolean readWithStack(int id, int cell, int now);

    /** The write is the first of its epoch. */
    static native void wrote(
            Object holder, int id, int cell, int now, int valueKind, long bits, Object value);

    /** The id of the statics that this cell is one of. */
    static native int staticsOf(int cell);

    /** Native code may run in threads that must not be asked for their stack. */
    static native void criticalLinking();

    /** What is told from here on belongs to this epoch. */
    static native void beginEpoch(int kind, int position);

    /** Starts over with the writes of this epoch, which has ended; returns how many. */
    static native int endEpoch(int now);

    static native Object holder(int write);

    /** Id of the holder in the high half, cell in the low half. */
    static native long place(int write);

    /** Whether the write counts; if not, what was written is there for everyone. */
    static native boolean isTold(int write);

    static native void newValue(int write, int valueKind, long bits, Object value);

    /** What locations hold, in so many entries of {@link ResidueHoldings} at this address. */
    static native void holdings(long address, int entries);

    /** A number that is the same in all runs for a class of this name; 0 if the name itself is not. */
    static native long classDigest(int classId);

    /** The object with this id stands for the system property with this key. */
    static native void propertyKey(int id, String key);

    /** Appends the epoch to the file. */
    static native void flushEpoch();

    static native void finish();

    /** Starts over with the classes that are initialised now; returns how many. */
    static native int collectClasses();

    static native Class<?> collectedClass(int index);

    /** Starts over with the live threads; returns how many. */
    static native int collectThreads();

    static native Thread collectedThread(int index);

    static native void threadAdopted(int index, int id);

    /** The class whose initialiser called the hook. */
    static native Class<?> initializedClass();

    /** An object that could not be marked because it is locked. */
    static native void pending(Object object, int id);

    /** Starts over with the objects that could not be marked; returns how many. */
    static native int collectPending();

    static native Object pendingObject(int index);

    static native void pendingMarked(int index);

    static native void lock();

    static native void unlock();

    /** Memory that is never given back, filled with zeros. */
    static native long allocate(long bytes);

    static native void shadowFull();

    static native void unresolvedLock();

    static native void methodHandle();

    static native void pointer();

    // Which code runs: see ResidueWatching.

    /** The initialiser of the class with this number begins, in whatever thread. */
    static native void initializing(int type);

    static native void initialized(int type);

    /** What runs from now on counts for the epoch (0), for all tests of the class (1), for all (2). */
    static native void counts(int whom);

    // Pollution: see ResiduePollution.

    /** A weak reference that is not part of the heap. */
    static native long weak(Object object);

    /** What a weak reference refers to, or null if it is gone. */
    static native Object strong(long weak);

    static native void dropWeak(long weak);

    /** Something could not be compared. */
    static native void notCompared(String what);

    /** A thread, or an object that a framework keeps. */
    static native void keepRoot(Object object, int id);

    /** The thread, or the object of a framework, with this id; null if there is none. */
    static native Object root(int id);

    /** Starts over with all of these; returns how many. */
    static native int rootCount();

    static native Object rootAt(int index);

    /** Numbers of classes are below this. */
    static native int classCount();

    /** Where the table of a class's content is, see {@link ResidueHoldings}. */
    static native long contents(Class<?> type, int classId);

    /** Where objects of a class have this field; 0 if they have none. */
    static native long fieldOffset(Class<?> type, String name);

    /** Whether objects of this class hold a key of a map of the JDK. */
    static native boolean isMapEntry(int classId);

    /** The id of the collection that an object is an inner part of, or else the same id. */
    static native int unitOf(int id);

    static native void captureBegins();

    /** A class was initialised. */
    static native void loadedInCapture(Class<?> type);

    /** Whether the class was not there when the capture began. */
    static native boolean isLoadedInCapture(Class<?> type);

    /** Statics that were written in this capture before their class was there. */
    static native int earlyCount();

    static native int earlyCell(int index);

    static native void pollutionBegins(int flags);

    /** The next cell on the way to what is polluted; in parts of maps with the key. */
    static native void pollutionStep(int cell, int keyKind, long keyBits, Object keyShown);

    /** A location that belongs to it. */
    static native void pollutionCell(int cell);

    /** What has changed. True if it is to be shown as trees. */
    static native boolean pollutionChange(
            int label,
            long labelBits,
            Object labelShown,
            int oldKind,
            long oldBits,
            Object oldShown,
            int newKind,
            long newBits,
            Object newShown);

    /** A node of the tree before (0) or after (1), parents first. */
    static native void treeNode(
            int side,
            int depth,
            int label,
            long labelBits,
            Object labelShown,
            int valueKind,
            long valueBits,
            Object valueShown);

    static native void pollutionEnds();
}
