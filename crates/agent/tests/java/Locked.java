import java.util.concurrent.CountDownLatch;

/** Objects that are locked when they become old. */
final class Locked {
    static final class Box {
        int value;
        int[] inside = new int[1];
    }

    static Box held;
    static Box waitedOn;
    static final CountDownLatch RELEASE = new CountDownLatch(1);
    static final CountDownLatch RELEASED = new CountDownLatch(1);

    // W Locked.held: null -> Locked$Box
    // W Locked.waitedOn: null -> Locked$Box
    static void t0() throws Exception {
        Box box = new Box();
        CountDownLatch locked = new CountDownLatch(1);
        Thread thread =
                new Thread(
                        () -> {
                            synchronized (box) {
                                locked.countDown();
                                try {
                                    RELEASE.await();
                                } catch (InterruptedException impossible) {
                                    throw new AssertionError(impossible);
                                }
                            }
                            RELEASED.countDown();
                        });
        thread.setDaemon(true);
        thread.start();
        locked.await();
        held = box;
        Box other = new Box();
        synchronized (other) {
            other.wait(1);
        }
        waitedOn = other;
    }

    // R Locked.held
    // R Locked.held -> Locked$Box.inside
    // R Locked.waitedOn
    // W Locked.held -> Locked$Box.value: 0 -> 3
    // W Locked.held -> Locked$Box.inside[0]: 0 -> 1
    // W Locked.waitedOn -> Locked$Box.value: 0 -> 4
    static void t1() {
        held.value = 3;
        held.inside[0] = 1;
        waitedOn.value = 4;
    }

    static void t2() throws Exception {
        RELEASE.countDown();
        RELEASED.await();
    }

    // R Locked.held
    // R Locked.held -> Locked$Box.value
    // R Locked.waitedOn
    // R Locked.waitedOn -> Locked$Box.value
    static void t3() {
        Aliasing.require(held.value == 3 && waitedOn.value == 4);
    }
}
