import java.util.Arrays;

final class ArraysScenario {
    static int[] numbers = new int[8];
    static Object[] things = new Object[4];
    static int[][] grid = new int[3][3];
    static byte[] large = new byte[200_000];

    // W ArraysScenario.numbers[3]: 0 -> 7
    static void t0() {
        numbers[3] = 7;
    }

    // R ArraysScenario.numbers[3]
    static void t1() {
        Aliasing.require(numbers[3] == 7 && numbers[4] == 0);
    }

    // W ArraysScenario.things[1]: null -> int[]
    // W ArraysScenario.grid[2][1]: 0 -> 5
    static void t2() {
        things[1] = new int[] {1, 2};
        grid[2][1] = 5;
    }

    // R ArraysScenario.things[1]
    // R ArraysScenario.things[1][0]
    // W ArraysScenario.things[1][0]: 1 -> 9
    // R ArraysScenario.grid[2][1]
    static void t3() {
        ((int[]) things[1])[0] += 8;
        Aliasing.require(grid[2][1] == 5);
    }

    // Copies read their source and write their target.
    // R ArraysScenario.numbers[0]
    // R ArraysScenario.numbers[1]
    // R ArraysScenario.numbers[3]
    // W ArraysScenario.numbers[0]: 0 -> 0
    // W ArraysScenario.numbers[1]: 0 -> 7
    static void t4() {
        int[] copy = numbers.clone();
        Aliasing.require(copy[3] == 7);
        System.arraycopy(copy, 2, numbers, 0, 2);
    }

    // R ArraysScenario.numbers[0]
    // R ArraysScenario.numbers[1]
    // R ArraysScenario.numbers[3]
    static void t5() {
        Aliasing.require(Arrays.equals(numbers, new int[] {0, 7, 0, 7, 0, 0, 0, 0}));
    }

    // R ArraysScenario.things[1]
    static void t6() {
        Object[] copy = Arrays.copyOf(things, 4);
        Aliasing.require(copy[0] == null);
    }

    // Elements of long arrays share slots.
    // W ArraysScenario.large[100000..100003]
    static void t7() {
        large[100_001] = 1;
    }

    // R ArraysScenario.large[100000..100003]
    static void t8() {
        Aliasing.require(large[100_002] == 0);
        Aliasing.require(large[100_004] == 0);
    }

    // What is beyond the end is not read, and the exception stays what it was.
    static void t9() {
        try {
            numbers[8] = 1;
            throw new AssertionError();
        } catch (ArrayIndexOutOfBoundsException expected) {
            Aliasing.require(expected.getMessage().contains("8"));
        }
    }
}
