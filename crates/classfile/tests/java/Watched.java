/** Each line with code says whether it runs. */
public final class Watched {
    static final int[] TABLE = new int[] {1, 2, 3}; // runs
    static int count = 2; // runs

    private Watched() {} // idle

    public static Object run() {
        int sum = 0; // runs
        for (int i = 0; i < TABLE.length; i++) { // runs
            if (TABLE[i] > 2) { // runs
                sum += // runs
                        twice(TABLE[i]); // runs
            } else if (sum < 0) { // runs
                sum = never(); // idle
            }
        }
        try {
            sum += fails(count); // runs
            sum += 100; // idle
        } catch (IllegalStateException expected) { // runs
            sum += 10; // runs
        } finally {
            count++; // runs
        } // runs
        switch (sum) { // runs
            case 16:
                sum++; // runs
                break; // runs
            case 17:
                sum--; // idle
                break; // idle
            default:
                sum = never(); // idle
        }
        Runnable later = () -> count += 5; // runs
        Runnable unused = // runs
                () -> {
                    count = -1; // idle
                }; // idle
        if (sum > 0) { // runs
            later.run(); // runs
        } else {
            unused.run(); // idle
        }
        boolean isLarge = sum > 10 && count > 7 || never() > 0; // runs
        return sum + " " + count + " " + isLarge + " " + new Inner(3).value; // runs
    }
    // result: 17 8 true 4

    private static int twice(int number) {
        return number * 2; // runs
    }

    private static int never() {
        int nothing = 0; // idle
        return nothing; // idle
    }

    private static int fails(int number) {
        check(number); // runs
        int unreached = number; // idle
        return unreached; // idle
    }

    private static void check(int number) {
        if (number == 2) { // runs
            throw new IllegalStateException(); // runs
        }
    } // idle

    static final class Inner {
        final int value;

        Inner(int number) {
            this(number, 1); // runs
        } // runs

        Inner(int number, int more) { // runs
            value = number > 2 ? number + more : never(); // runs
        } // runs
    }
}
