package java.lang;

import static java.lang.ResidueNative.U;

/** Reads references by offset; the name of the method changed with JDK 12. */
final class ResidueReferences {
    private static final boolean OLD_NAME =
            ResidueNative.constant(ResidueLimits.UNSAFE_SAYS_OBJECT) != 0;

    private ResidueReferences() {}

    static Object get(Object holder, long offset) {
        return OLD_NAME ? U.getObject(holder, offset) : U.getReference(holder, offset);
    }
}
