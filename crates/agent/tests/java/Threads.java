import java.util.concurrent.CountDownLatch;

final class Threads {
    static int counter;
    static final ThreadLocal<int[]> LOCAL = ThreadLocal.withInitial(() -> new int[1]);
    static final Object LOCK = new Object();
    static final class Guarded {
        int value;
    }

    static final Guarded GUARDED = new Guarded();
    static CountDownLatch go = new CountDownLatch(1);
    static CountDownLatch done = new CountDownLatch(1);

    // What a background thread does counts for the test during which it does it.
    // W Threads.counter: 0 -> 1
    static void t0() throws Exception {
        Thread thread = new Thread(() -> counter = 1);
        thread.start();
        thread.join();
    }

    // R Threads.counter
    static void t1() {
        Aliasing.require(counter == 1);
    }

    // A thread of an earlier test.
    static void t2() {
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                go.await();
                            } catch (InterruptedException impossible) {
                                throw new AssertionError(impossible);
                            }
                            counter = 2;
                            done.countDown();
                        });
        thread.setDaemon(true);
        thread.start();
    }

    // W Threads.counter: 1 -> 2
    static void t3() throws Exception {
        go.countDown();
        done.await();
    }

    static void t4() {
        LOCAL.get()[0] = 1;
    }

    // R thread "main" -> Thread.threadLocals -> ThreadLocal$ThreadLocalMap.table[*] -> ThreadLocal$ThreadLocalMap$Entry.value[0]
    static void t5() {
        Aliasing.require(LOCAL.get()[0] == 1);
    }

    // Locked objects are tracked like others, whether they were locked before or after they became old.
    // W Threads.GUARDED -> Threads$Guarded.value: 0 -> 1
    static void t6() throws Exception {
        synchronized (GUARDED) {
            GUARDED.value = 1;
            GUARDED.wait(1);
        }
    }

    // R Threads.GUARDED -> Threads$Guarded.value
    // W Threads.GUARDED -> Threads$Guarded.value: 1 -> 2
    static void t7() {
        synchronized (GUARDED) {
            GUARDED.value++;
        }
    }

    // R Threads.GUARDED -> Threads$Guarded.value
    static void t8() {
        Aliasing.require(GUARDED.value == 2);
    }
}
