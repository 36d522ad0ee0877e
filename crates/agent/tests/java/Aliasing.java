/** The example of PraDeT's paper: a write through one path, a read through another. */
final class Aliasing {
    static final class Source {
        int version;
        String cloneString;
        Source next;
    }

    static Source data = new Source();
    static Source alias = data;

    // W Aliasing.data -> Aliasing$Source.cloneString: null -> "hg"
    static void t0() {
        data.cloneString = "hg";
    }

    // R Aliasing.alias
    // R Aliasing.data -> Aliasing$Source.cloneString
    static void t1() {
        require(alias.cloneString.equals("hg"));
    }

    // An object that is made, published and then changed by another test.
    // W Aliasing.data -> Aliasing$Source.next: null -> Aliasing$Source
    static void t2() {
        Source made = new Source();
        made.version = 1;
        data.next = made;
    }

    // R Aliasing.alias
    // R Aliasing.data -> Aliasing$Source.next
    // R Aliasing.data -> Aliasing$Source.next -> Aliasing$Source.version
    // W Aliasing.data -> Aliasing$Source.next -> Aliasing$Source.version: 1 -> 2
    static void t3() {
        alias.next.version++;
    }

    // Nobody else sees what is made here.
    static void t4() {
        Source own = new Source();
        own.version = 3;
        own.next = new Source();
        require(own.version == 3 && own.next.version == 0);
    }

    // W Aliasing.alias: Aliasing$Source -> null
    static void t5() {
        alias = null;
    }

    // R Aliasing.alias
    static void t6() {
        require(alias == null);
    }

    static void require(boolean condition) {
        if (!condition) {
            throw new AssertionError();
        }
    }
}
