// A class initialiser sets its own fields without a hook, and reports its end.
public class Initializers {
    public static String run() {
        // hook: staticRead Initializers$Lazy.counter
        // hook: elementRead int[] 0
        // hook: staticWrite Initializers$Other.seen
        // hook: classInitialized
        return Lazy.counter + " " + Other.seen;
        // hook: staticRead Initializers$Other.seen
        // result: 6 1
    }

    static class Lazy {
        static int counter = 5;
        static int[] table = {1, 2, 3};

        static {
            counter++;
            // The other class has no initialiser of its own.
            Other.seen = table[0];
            if (counter > 10) {
                counter = 10;
            }
        }
    }

    static class Other {
        static int seen;
    }
}
