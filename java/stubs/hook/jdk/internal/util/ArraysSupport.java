package jdk.internal.util;

public class ArraysSupport {
    public static native int vectorizedMismatch(
            Object left, long leftOffset, Object right, long rightOffset, int length, int width);

    /** Since JDK 21. */
    public static native int vectorizedHashCode(
            Object array, int from, int length, int initial, int type);
}
