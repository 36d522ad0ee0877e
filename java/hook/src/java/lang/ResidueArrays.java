package java.lang;

import java.util.Arrays;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Called in place of methods of Arrays that the compiler replaces by code of its own, which has no
 * hooks.
 */
class ResidueArrays extends ResidueArraysSupport {
    @ForceInline
    public static Object[] copyOf(Object[] from, int length, Class<?> type) {
        if (ResidueMark.mayBeOld(from)) {
            ResidueAccess.elementsRead(from, 0, Math.min(from.length, length));
        }
        return Arrays.copyOf(from, length, arrayType(type));
    }

    @ForceInline
    public static Object[] copyOfRange(Object[] from, int start, int end, Class<?> type) {
        if (ResidueMark.mayBeOld(from)) {
            ResidueAccess.elementsRead(from, start, Math.min(from.length, end) - start);
        }
        return Arrays.copyOfRange(from, start, end, arrayType(type));
    }

    @SuppressWarnings("unchecked")
    private static Class<? extends Object[]> arrayType(Class<?> type) {
        return (Class<? extends Object[]>) type;
    }

    @ForceInline
    public static boolean equals(byte[] left, byte[] right) {
        if (ResidueMark.mayBeOld(left) || ResidueMark.mayBeOld(right)) {
            compared(left, right);
        }
        return Arrays.equals(left, right);
    }

    @ForceInline
    public static boolean equals(char[] left, char[] right) {
        if (ResidueMark.mayBeOld(left) || ResidueMark.mayBeOld(right)) {
            compared(left, right);
        }
        return Arrays.equals(left, right);
    }

    private static void compared(Object left, Object right) {
        if (left != null) {
            ResidueAccess.elementsRead(left, 0, ResidueClasses.length(left));
        }
        if (right != null) {
            ResidueAccess.elementsRead(right, 0, ResidueClasses.length(right));
        }
    }
}
