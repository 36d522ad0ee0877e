package java.lang;

import static java.lang.ResidueNative.U;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Which object is old, and under which id: kept in a free bit and in the hash bits of its mark word.
 *
 * <p>An object without a hash gets its id as hash. One that has a hash keeps it, and {@link
 * ResidueHashes} knows the id. While an object is locked its mark may be elsewhere: on the stack of
 * the thread that holds the lock, or in a monitor. All of this is found out from real objects when
 * the class is initialised. Where the findings do not fit, every look-up goes through JVMTI tags,
 * which is slow and right.
 */
final class ResidueMark {
    private static final int HASH = 0x7fffffff;
    private static final int LOCK = 3;
    private static final int UNLOCKED = 1;
    private static final int FAT = 2;
    /** Unlocked and not reserved for the lock of a thread, as JDK 17 may still do. */
    private static final int NEUTRAL = 7;
    private static final int RESERVED = 5;
    private static final int RETRIES = 1 << 14;

    /** Set in the mark of every old object. */
    private static final long OLD = 0x80L;

    private static final int SHIFT;
    /** Set if the hash bits are an id. */
    private static final long IS_ID;
    /** A lock on another thread's or the own stack holds the mark. */
    private static final boolean THIN_POINTS;
    /** A monitor holds the mark. */
    private static final boolean FAT_POINTS;

    private static final boolean TAGS;

    /** What the mark of an object that is surely not old looks like. */
    static final long MASK;
    static final long YOUNG;

    private static final long PLAIN_ID_MASK;
    private static final long PLAIN_ID;

    /** Objects that are old and only tagged so far, because they were locked. */
    static int pending;

    static {
        ResidueMarkProbe probe = new ResidueMarkProbe();
        boolean known = ResidueNative.constant(ResidueLimits.MARKS_ALLOWED) != 0 && probe.run();
        SHIFT = known ? probe.shift : 8;
        IS_ID = known ? probe.isId : 0L;
        THIN_POINTS = known && probe.thinPoints;
        FAT_POINTS = known && probe.fatPoints;
        TAGS = !known;
        if (!known) {
            MASK = 0L;
            YOUNG = 1L;
        } else if (THIN_POINTS) {
            // Bit 2 too: such a JVM may reserve locks for threads, which overlays the hash.
            MASK = OLD | NEUTRAL;
            YOUNG = 1L;
        } else {
            MASK = OLD | 2L;
            YOUNG = 0L;
        }
        PLAIN_ID_MASK = OLD | IS_ID | LOCK;
        PLAIN_ID = known ? OLD | IS_ID | UNLOCKED : -1L;
        if (!known) {
            ResidueNative.marksUnknown();
        }
    }

    private ResidueMark() {}

    @ForceInline
    static boolean mayBeOld(Object object) {
        return object != null && (U.getLong(object, 0L) & MASK) != YOUNG;
    }

    /** The id of an object whose mark may be that of an old one; 0 if it is young. */
    @ForceInline
    static int id(Object object, long mark) {
        return (mark & PLAIN_ID_MASK) == PLAIN_ID
                ? (int) (mark >>> SHIFT) & HASH
                : hiddenId(object, mark);
    }

    /** The id of any object but null; 0 if it is young. */
    static int id(Object object) {
        long mark = U.getLong(object, 0L);
        return (mark & MASK) == YOUNG ? 0 : id(object, mark);
    }

    @DontInline
    private static int hiddenId(Object object, long mark) {
        if (TAGS) {
            return ResidueNative.tag(object);
        }
        long header;
        if (isInPlace(mark)) {
            header = mark;
        } else if (isHeld(object, mark)) {
            header = U.getLong(mark & ~(long) LOCK);
        } else {
            header = displaced(object);
        }
        if ((header & OLD) == 0) {
            return pending != 0 && (mark & NEUTRAL) != UNLOCKED ? ResidueNative.tag(object) : 0;
        }
        int hash = (int) (header >>> SHIFT) & HASH;
        return (header & IS_ID) != 0 ? hash : ResidueHashes.id(object, hash);
    }

    /**
     * Whether the current thread has the lock that the mark points to. It is the usual one, and what
     * it points to stays: nobody else can end it.
     */
    private static boolean isHeld(Object object, long mark) {
        return (mark & LOCK) == 0 ? ResidueStacks.isOwn(mark) : Thread.holdsLock(object);
    }

    private static boolean isReserved(long mark) {
        return THIN_POINTS && (mark & NEUTRAL) == RESERVED;
    }

    private static boolean isInPlace(long mark) {
        int lock = (int) mark & LOCK;
        return lock == UNLOCKED || !(lock == FAT ? FAT_POINTS : THIN_POINTS);
    }

    /**
     * The mark of a locked object. What another thread holds may vanish at any time, so it is read
     * in a way that cannot fault, and believed only if the object still points there.
     */
    private static long displaced(Object object) {
        for (int attempt = 0; attempt < RETRIES; attempt++) {
            long mark = U.getLongVolatile(object, 0L);
            if (isInPlace(mark)) {
                return mark;
            }
            long address = mark & ~(long) LOCK;
            if (address == 0) {
                continue;
            }
            long header = ResidueNative.peek(address);
            if ((header & LOCK) == UNLOCKED && U.getLongVolatile(object, 0L) == mark) {
                return header;
            }
        }
        ResidueNative.unresolvedLock();
        return 0L;
    }

    /** Makes a young object old. False if that has to wait because the object is locked. */
    static boolean makeOld(Object object, int id) {
        if (TAGS) {
            ResidueNative.setTag(object, id);
            return true;
        }
        boolean inTable = false;
        while (true) {
            long mark = U.getLongVolatile(object, 0L);
            if (isReserved(mark)) {
                // To ask for the hash ends the reservation.
                ResidueNative.identityHash(object);
                mark = U.getLongVolatile(object, 0L);
            }
            // Where a lock leaves the mark in place, the JVM expects it to change under the lock.
            if (isReserved(mark) || !isInPlace(mark)) {
                return false;
            }
            int hash = (int) (mark >>> SHIFT) & HASH;
            long marked;
            if (hash == 0) {
                marked = mark | OLD | IS_ID | (long) id << SHIFT;
            } else {
                if (!inTable) {
                    ResidueHashes.put(object, hash, id);
                    inTable = true;
                }
                marked = mark | OLD;
            }
            if (U.compareAndSetLong(object, 0L, mark, marked)) {
                return true;
            }
        }
    }
}
