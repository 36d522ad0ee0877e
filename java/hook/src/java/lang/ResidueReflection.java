package java.lang;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import jdk.internal.vm.annotation.DontInline;

/** Accesses through java.lang.reflect.Field and through method handles. */
final class ResidueReflection {
    private ResidueReflection() {}

    @DontInline
    static void touch(Field field, Object object, boolean writes) {
        if (ResidueCells.now < 0) {
            return;
        }
        Class<?> declaring = field.getDeclaringClass();
        boolean isStatic = Modifier.isStatic(field.getModifiers());
        Object holder = isStatic ? declaring : object;
        int id;
        if (isStatic) {
            id = ResidueClasses.statics(ResidueClasses.of(declaring));
        } else if (object != null && declaring.isInstance(object)) {
            id = ResidueMark.id(object);
        } else {
            return;
        }
        if (id != 0) {
            int slot = ResidueNative.slotOf(ResidueClasses.id(declaring), field.getName(), isStatic);
            ResidueAccess.touchSlot(holder, id, slot, writes);
        }
    }

    /** A method handle reads or writes some field of the object, nobody knows which. */
    @DontInline
    static void methodHandle(Object base) {
        int id = ResidueMark.id(base);
        if (id != 0 && ResidueClasses.canChange(ResidueClasses.recordOf(id))) {
            ResidueNative.methodHandle();
        }
    }
}
