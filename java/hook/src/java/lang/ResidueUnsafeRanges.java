package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;

/** Called in place of the methods of Unsafe that access many elements at once. */
class ResidueUnsafeRanges {
    ResidueUnsafeRanges() {}

    @ForceInline
    public static void copyMemory(
            Unsafe unsafe, Object from, long fromOffset, Object to, long toOffset, long bytes) {
        touched(from, fromOffset, to, toOffset, bytes);
        unsafe.copyMemory(from, fromOffset, to, toOffset, bytes);
    }

    @ForceInline
    public static void copySwapMemory(
            Unsafe unsafe,
            Object from,
            long fromOffset,
            Object to,
            long toOffset,
            long bytes,
            long width) {
        touched(from, fromOffset, to, toOffset, bytes);
        unsafe.copySwapMemory(from, fromOffset, to, toOffset, bytes, width);
    }

    @ForceInline
    public static void setMemory(Unsafe unsafe, Object object, long offset, long bytes, byte value) {
        if (ResidueMark.mayBeOld(object)) {
            ResidueAccess.touchOffset(object, offset, bytes, true);
        }
        unsafe.setMemory(object, offset, bytes, value);
    }

    @ForceInline
    private static void touched(Object from, long fromOffset, Object to, long toOffset, long bytes) {
        if (ResidueMark.mayBeOld(from)) {
            ResidueAccess.touchOffset(from, fromOffset, bytes, false);
        }
        if (ResidueMark.mayBeOld(to)) {
            ResidueAccess.touchOffset(to, toOffset, bytes, true);
        }
    }
}
