/** Class initialisers are lazy initialisation, not a dependency on who came first. */
final class Initialisers {
    static final class Lazy {
        static int[] table = {1, 2, 3};
        static int count = 4;
        static final StringBuilder LOG = new StringBuilder("start");
    }

    static final class Counter {
        static int made;
        final int number = ++made;
    }

    static final class Plain {
        static int written;
    }

    static class Parent {
        static int inherited = 1;
    }

    static final class Child extends Parent {}

    static final class Helped {
        static String mode;
        static int resets;

        static {
            reset();
        }

        static void reset() {
            mode = "plain";
            resets++;
        }
    }

    static void t0() {
        Aliasing.require(Lazy.table[1] == 2 && Lazy.count == 4);
    }

    static void t1() {
        Aliasing.require(Lazy.table[1] == 2 && Lazy.count == 4);
    }

    // The test that initialises a class pollutes it like any other.
    // R Initialisers$Counter.made
    // W Initialisers$Counter.made: 0 -> 1
    static void t2() {
        Aliasing.require(new Counter().number == 1);
    }

    // R Initialisers$Counter.made
    // W Initialisers$Counter.made: 1 -> 2
    static void t3() {
        Aliasing.require(new Counter().number == 2);
    }

    // W Initialisers$Lazy.table[0]: 1 -> 5
    // R Initialisers$Lazy.LOG -> AbstractStringBuilder.count
    // W Initialisers$Lazy.LOG -> AbstractStringBuilder.count: 5 -> 6
    // W Initialisers$Lazy.LOG -> AbstractStringBuilder.value[5]: 0 -> 33
    static void t4() {
        Lazy.table[0] = 5;
        Lazy.LOG.append('!');
    }

    // R Initialisers$Lazy.table[0]
    static void t5() {
        Aliasing.require(Lazy.table[0] == 5);
    }

    // The write is what loads the class.
    // W Initialisers$Plain.written: ? -> 3
    static void t6() {
        Plain.written = 3;
    }

    // R Initialisers$Plain.written
    static void t7() {
        Aliasing.require(Plain.written == 3);
    }

    // A static is where it is declared, through whatever class it is used.
    // W Initialisers$Parent.inherited: ? -> 2
    static void t8() {
        Child.inherited = 2;
    }

    // R Initialisers$Parent.inherited
    static void t9() {
        Aliasing.require(Parent.inherited == 2);
    }

    // What an initialiser's helper does is the initialiser's doing, until it is called again.
    // R Initialisers$Helped.resets
    // W Initialisers$Helped.resets: 1 -> 2
    // W Initialisers$Helped.mode: "plain" -> "plain"
    static void t10() {
        Aliasing.require(Helped.mode.equals("plain"));
        Helped.reset();
    }

    // R Initialisers$Helped.mode
    // R Initialisers$Helped.resets
    static void t11() {
        Aliasing.require(Helped.mode.equals("plain") && Helped.resets == 2);
    }
}
