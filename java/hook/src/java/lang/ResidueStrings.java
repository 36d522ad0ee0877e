package java.lang;

import jdk.internal.vm.annotation.ForceInline;

/** Called in place of methods of String that fill an array of the caller: String has no hooks. */
class ResidueStrings extends ResidueSystem {
    @ForceInline
    public static void getChars(String string, int from, int to, char[] target, int at) {
        if (ResidueMark.mayBeOld(target)) {
            ResidueAccess.elementsWritten(target, at, to - from);
        }
        string.getChars(from, to, target, at);
    }

    @ForceInline
    @SuppressWarnings("deprecation")
    public static void getBytes(String string, int from, int to, byte[] target, int at) {
        if (ResidueMark.mayBeOld(target)) {
            ResidueAccess.elementsWritten(target, at, to - from);
        }
        string.getBytes(from, to, target, at);
    }

    /** What a StringBuilder calls: {@code at} counts characters of one or two bytes. */
    @ForceInline
    public static void getBytes(String string, byte[] target, int at, byte coder) {
        if (ResidueMark.mayBeOld(target)) {
            ResidueAccess.elementsWritten(target, at << coder, string.length() << coder);
        }
        string.getBytes(target, at, coder);
    }

    /** The same for a part of the string. Written out, since older JDKs have no such method. */
    @ForceInline
    public static void getBytes(
            String string, byte[] target, int from, int at, byte coder, int length) {
        if (ResidueMark.mayBeOld(target)) {
            ResidueAccess.elementsWritten(target, at << coder, length << coder);
        }
        if (string.coder() == coder) {
            System.arraycopy(string.value(), from << coder, target, at << coder, length << coder);
        } else {
            StringLatin1.inflate(string.value(), from, target, at, length);
        }
    }
}
