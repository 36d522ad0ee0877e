final class Records {
    record Pair(int[] left, String right) {}

    static Pair pair = new Pair(new int[1], "r");

    // A record's own fields never change, but what they refer to does.
    // R Records.pair
    // W Records.pair -> Records$Pair.left[0]: 0 -> 4
    static void t0() {
        pair.left()[0] = 4;
    }

    // R Records.pair
    // R Records.pair -> Records$Pair.left[0]
    static void t1() {
        Aliasing.require(pair.left()[0] == 4 && pair.right().equals("r"));
    }

    // W Records.pair: Records$Pair -> Records$Pair
    static void t2() {
        pair = new Pair(new int[2], "s");
    }

    // R Records.pair
    static void t3() {
        Aliasing.require(pair.equals(pair) && pair.hashCode() != 1);
    }
}
