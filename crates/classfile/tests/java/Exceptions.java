// Handlers, subroutine-like finally blocks and line numbers survive.
public class Exceptions {
    static int depth;
    int[] cells;

    public static String run() {
        Exceptions none = new Exceptions();
        String out = "";
        try {
            // hook: staticWrite Exceptions.depth
            // hook: read Exceptions.cells
            // hook: elementWrite null 3
            out += none.broken(3);
        } catch (NullPointerException e) {
            out += "null at " + e.getStackTrace()[0].getLineNumber(); // hook: elementRead StackTraceElement[] 0
        } finally {
            out += " depth " + depth; // hook: staticRead Exceptions.depth
        }
        try {
            // hook: elementRead int[] 5
            out += " " + given(new int[1])[5];
        } catch (ArrayIndexOutOfBoundsException e) {
            out += " bounds";
        }
        Exceptions missing = given(null);
        try {
            // hook: read Exceptions.cells
            out += missing.cells;
        } catch (NullPointerException e) {
            out += " none";
        }
        return out;
        // result: null at 38 depth 7 bounds none
    }

    int broken(int index) {
        depth = 7;
        cells[index] = 1;
        return 1;
    }

    static <T> T given(T value) {
        return value;
    }
}
