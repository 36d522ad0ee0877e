package java.lang;

import java.lang.ref.Reference;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/** Called in place of methods of references that the JVM carries out without their byte code. */
class ResidueReferents extends ResidueStrings {
    /** Which slot of a reference is the referent; -1 if it is not tracked, 0 if nobody has asked. */
    private static int slotPlusOne;

    @ForceInline
    public static Object get(Reference<?> reference) {
        if (ResidueMark.mayBeOld(reference)) {
            touch(reference, false);
        }
        return reference.get();
    }

    @ForceInline
    public static Object get(WeakReference<?> reference) {
        if (ResidueMark.mayBeOld(reference)) {
            touch(reference, false);
        }
        return reference.get();
    }

    @ForceInline
    public static Object get(SoftReference<?> reference) {
        if (ResidueMark.mayBeOld(reference)) {
            touch(reference, false);
        }
        return reference.get();
    }

    @ForceInline
    public static void clear(Reference<?> reference) {
        if (ResidueMark.mayBeOld(reference)) {
            touch(reference, true);
        }
        reference.clear();
    }

    @ForceInline
    public static void clear(WeakReference<?> reference) {
        if (ResidueMark.mayBeOld(reference)) {
            touch(reference, true);
        }
        reference.clear();
    }

    @ForceInline
    public static void clear(SoftReference<?> reference) {
        if (ResidueMark.mayBeOld(reference)) {
            touch(reference, true);
        }
        reference.clear();
    }

    @DontInline
    private static void touch(Reference<?> reference, boolean writes) {
        if (ResidueCells.now < 0) {
            return;
        }
        if (slotPlusOne == 0) {
            int of = ResidueClasses.id(Reference.class);
            int slot = ResidueNative.slotOf(of, "referent", false);
            slotPlusOne = slot < 0 ? -1 : slot + 1;
        }
        int id = ResidueMark.id(reference);
        if (id != 0 && slotPlusOne > 0) {
            ResidueAccess.touchSlot(reference, id, slotPlusOne - 1, writes);
        }
    }
}
