package java.lang;

import jdk.internal.util.ArraysSupport;
import jdk.internal.vm.annotation.ForceInline;

/** Called in place of methods of ArraysSupport, for the same reason as {@link ResidueArrays}. */
class ResidueArraysSupport extends ResidueReferents {
    @ForceInline
    public static int vectorizedMismatch(
            Object left, long leftOffset, Object right, long rightOffset, int length, int width) {
        if (ResidueMark.mayBeOld(left)) {
            ResidueAccess.touchOffset(left, leftOffset, (long) length << width, false);
        }
        if (ResidueMark.mayBeOld(right)) {
            ResidueAccess.touchOffset(right, rightOffset, (long) length << width, false);
        }
        return ArraysSupport.vectorizedMismatch(left, leftOffset, right, rightOffset, length, width);
    }

    @ForceInline
    public static int vectorizedHashCode(
            Object array, int from, int length, int initial, int type) {
        if (ResidueMark.mayBeOld(array)) {
            ResidueAccess.elementsRead(array, from, length);
        }
        return ArraysSupport.vectorizedHashCode(array, from, length, initial, type);
    }
}
