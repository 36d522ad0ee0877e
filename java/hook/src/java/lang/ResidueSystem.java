package java.lang;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/** Called in place of methods of System. */
class ResidueSystem extends ResidueUnsafe {
    @ForceInline
    public static void arraycopy(Object from, int fromIndex, Object to, int toIndex, int count) {
        if (ResidueMark.mayBeOld(from) || ResidueMark.mayBeOld(to)) {
            copied(from, fromIndex, to, toIndex, count);
        }
        System.arraycopy(from, fromIndex, to, toIndex, count);
    }

    @DontInline
    private static void copied(Object from, int fromIndex, Object to, int toIndex, int count) {
        if (from != null && to != null && from.getClass().isArray() && to.getClass().isArray()) {
            ResidueAccess.elementsRead(from, fromIndex, count);
            ResidueAccess.elementsWritten(to, toIndex, count);
        }
    }
}
