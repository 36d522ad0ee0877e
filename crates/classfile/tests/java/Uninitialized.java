// Frames name an uninitialised object by its `new`, not by code before it.
public class Uninitialized {
    static Uninitialized shared = new Uninitialized("s", 1);
    String name;
    int size;

    Uninitialized(String name, int size) {
        this.name = name;
        this.size = size;
    }

    public static String run() {
        Uninitialized made = make(shared, true); // hook: classInitialized
        // hook: staticRead Uninitialized.shared
        // hook: read Uninitialized.name
        // hook: read Uninitialized.size
        // hook: read Uninitialized.name
        // hook: read Uninitialized.size
        return made.name + made.size;
        // result: s2
    }

    static Uninitialized make(Uninitialized from, boolean flag) {
        return new Uninitialized(flag ? from.name : "x", flag && from.size > 0 ? 2 : 3);
    }
}
