/** Each line with code says which tests run it, counted as if each were the first. */
final class Covered {
    static int calls;

    private Covered() {} // nobody

    static void before() {
        calls = shared(1); // all
    } // all

    static int shared(int number) {
        return number; // all t9
    }

    static void t0() {
        calls++; // t0
        Lazy.use(2); // t0
    } // t0

    /** Uses a class only through a field, after another test has initialised it. */
    static void t1() {
        calls += Lazy.value; // t1
    } // t1

    static void t2() {
        try {
            Lazy.use(-1); // t2
            calls = 0; // nobody
        } catch (IllegalArgumentException expected) { // t2
            calls--; // t2
        } // nobody
    } // t2

    static void t3() {
        new Derived().run(); // t3
    } // t3

    /** Runs nothing of the subclass but its initialiser and that of its superclass. */
    static void t4() {
        calls = Derived.made; // t4
    } // t4

    static void t5() throws Exception {
        Thread thread = new Thread(() -> Helper.compute(2)); // t5
        thread.start(); // t5
        thread.join(); // t5
    } // t5

    static void t6() {
        for (int i = 0; i < 3; i++) { // t6
            if (i == 4) { // t6
                calls = -1; // nobody
            }
        }
    } // t6

    static void t7() {
        Colour colour = Colour.GREEN; // t7
        switch (colour) { // t7
            case RED:
                calls = 1; // nobody
                break; // nobody
            default:
                calls = 2; // t7
        }
    } // t7

    /** What the initialiser of one class runs of another one that is there already. */
    static void t8() {
        calls = Late.value; // t8
    } // t8

    static void t9() {
        calls = shared(2) + Constants.NUMBER; // t9
    } // t9

    static final class Lazy {
        static int value = Helper.compute(3); // t0 t1 t2 t8

        private Lazy() {} // nobody

        static int use(int number) {
            if (number < 0) { // t0 t2
                throw new IllegalArgumentException(); // t2
            }
            return number; // t0
        }
    }

    static final class Helper {
        private Helper() {} // nobody

        static int compute(int number) {
            return number + 1; // t0 t1 t2 t5 t8
        }
    }

    static class Base { // t3
        static int made = 5; // t3 t4

        void run() {
            calls++; // t3
        } // t3
    }

    static final class Derived extends Base { // t3
        static int made = 6; // t3 t4

        @Override
        void run() {
            super.run(); // t3
        } // t3
    }

    enum Colour { // t7
        RED, // t7
        GREEN // t7
    }

    static final class Late {
        static int value = Helper.compute(Lazy.value); // t8

        private Late() {} // nobody
    }

    static final class Constants {
        static final int NUMBER = 7;

        private Constants() {} // nobody
    }
}
