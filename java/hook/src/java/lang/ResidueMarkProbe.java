package java.lang;

import static java.lang.ResidueNative.U;

/**
 * Finds out where the mark word has its hash and what locks do to it, by looking at objects of its
 * own, and checks that the bits we want to use survive what the JVM does to a mark.
 */
final class ResidueMarkProbe {
    private static final long LOCK = 3L;
    private static final long UNLOCKED = 1L;
    private static final long OLD = 0x80L;
    private static final int HASH = 0x7fffffff;
    private static final int PROBED_ID = 0x2a5c3e17;

    int shift;
    long isId;
    boolean thinPoints;
    boolean fatPoints;

    /** To be found by its offset. */
    int probe = 0x5eed0b1e;

    boolean run() {
        return findHash() && findLocks() && idSurvives();
    }

    private boolean findHash() {
        Object object = new Object();
        long fresh = mark(object);
        int hash = ResidueNative.identityHash(object);
        long hashed = mark(object);
        if ((fresh & 0xff) != UNLOCKED || (hashed & 0xff) != UNLOCKED || hash == 0) {
            return false;
        }
        int found = 0;
        for (int at = 3; at <= 33; at++) {
            if (((int) (hashed >>> at) & HASH) == hash && ((int) (fresh >>> at) & HASH) == 0) {
                shift = at;
                found++;
            }
        }
        if (found != 1) {
            return false;
        }
        // Below the hash there is room for one bit or several; above it for more, unless the class
        // pointer is there.
        isId = shift > 8 ? 0x100L : 1L << shift + 32;
        return shift >= 8 && shift < 31 && ((fresh | hashed) & (OLD | isId)) == 0;
    }

    private boolean findLocks() {
        Object object = new Object();
        ResidueNative.identityHash(object);
        long free = mark(object);
        long thin;
        synchronized (object) {
            thin = mark(object);
            if ((thin & LOCK) == 0) {
                thinPoints = (thin ^ free) != UNLOCKED;
                if (thinPoints && U.getLong(thin) != free) {
                    return false;
                }
            } else if ((thin & LOCK) != 2) {
                return false;
            }
        }
        ResidueNative.inflate(object);
        long fat = mark(object);
        if ((fat & LOCK) != 2) {
            return false;
        }
        fatPoints = (fat ^ free) != (UNLOCKED | 2);
        return !fatPoints || ResidueNative.peek(fat ^ 2) == free;
    }

    private boolean idSurvives() {
        Object object = new Object();
        long marked = mark(object) | OLD | isId | (long) PROBED_ID << shift;
        if (!U.compareAndSetLong(object, 0L, mark(object), marked)) {
            return false;
        }
        synchronized (object) {
            if (ResidueNative.identityHash(object) != PROBED_ID) {
                return false;
            }
        }
        Object other = new Object();
        U.compareAndSetLong(other, 0L, mark(other), marked & ~LOCK | mark(other));
        synchronized (other) {
            long held = mark(other);
            long header = (held & LOCK) == 0 && !thinPoints || (held & LOCK) == 2 && !fatPoints
                    ? held & ~LOCK | UNLOCKED
                    : ResidueNative.peek(held & ~LOCK);
            if (header != marked) {
                return false;
            }
        }
        long after = mark(other);
        return (after & LOCK) != UNLOCKED || after == marked;
    }

    private static long mark(Object object) {
        return U.getLongVolatile(object, 0L);
    }
}
