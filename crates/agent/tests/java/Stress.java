import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Many old objects, locked and hashed in all ways by many threads while epochs and collections pass. */
final class Stress {
    static final class Cell {
        int value;
        Cell other;
    }

    static final int COUNT = 20_000;
    static Cell[] cells = new Cell[COUNT];
    static volatile boolean stop;

    public static void main(String[] arguments) throws Exception {
        Class<?> hook = Class.forName("java.lang.ResidueHook");
        Method boundary = hook.getMethod("boundary", int.class, int.class);
        int[] hashes = new int[COUNT];
        for (int i = 0; i < COUNT; i++) {
            cells[i] = new Cell();
            if (i % 3 == 0) {
                hashes[i] = System.identityHashCode(cells[i]);
            }
        }
        boundary.invoke(null, 1, 0);
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 3; t++) {
            Random random = new Random(t);
            Thread thread = new Thread(() -> work(random));
            thread.start();
            threads.add(thread);
        }
        for (int epoch = 1; epoch < 60; epoch++) {
            byte[][] garbage = new byte[200][];
            for (int i = 0; i < 2_000; i++) {
                garbage[i % 200] = new byte[2_000];
            }
            if (epoch % 10 == 0) {
                System.gc();
            }
            boundary.invoke(null, 1, epoch);
        }
        stop = true;
        for (Thread thread : threads) {
            thread.join();
        }
        for (int i = 0; i < COUNT; i++) {
            if (i % 3 == 0 && System.identityHashCode(cells[i]) != hashes[i]) {
                throw new AssertionError("a hash has changed");
            }
        }
        boundary.invoke(null, 1, 60);
        for (int i = 0; i < COUNT; i++) {
            cells[i].value = -i;
        }
        hook.getMethod("finish").invoke(null);
    }

    private static void work(Random random) {
        while (!stop) {
            Cell cell = cells[random.nextInt(COUNT)];
            switch (random.nextInt(6)) {
                case 0:
                    synchronized (cell) {
                        cell.value++;
                    }
                    break;
                case 1:
                    synchronized (cell) {
                        cell.other = new Cell();
                        try {
                            if (random.nextInt(50) == 0) {
                                cell.wait(0, 1);
                            }
                        } catch (InterruptedException impossible) {
                            throw new AssertionError(impossible);
                        }
                    }
                    break;
                case 2:
                    cell.value += System.identityHashCode(cell) & 1;
                    break;
                case 3:
                    Cell other = cell.other;
                    if (other != null) {
                        synchronized (other) {
                            other.value++;
                        }
                    }
                    break;
                default:
                    cell.value++;
                    break;
            }
        }
    }
}
