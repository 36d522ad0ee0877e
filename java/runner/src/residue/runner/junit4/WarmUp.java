package residue.runner.junit4;

import java.util.Collections;
import org.junit.Test;
import org.junit.runner.notification.RunNotifier;
import residue.runner.Framework;
import residue.runner.Item;
import residue.runner.Locator;
import residue.runner.Progress;

/**
 * A test of our own that runs before the JVM says that it is ready, so that a JVM that was started
 * ahead has JUnit's classes loaded when its order comes.
 */
public final class WarmUp {
    @Test
    public void nothing() {}

    static void run() {
        String name = WarmUp.class.getName();
        Locator place = Locator.root(name).child("nothing");
        Item item = new Item(0, name, Framework.JUNIT4, place.toString());
        new RunnerGroups(new RunNotifier(), new Silence())
                .run(
                        RootRunner.of(WarmUp.class),
                        Collections.singletonList(item),
                        Collections.singletonList(place));
    }

    private static final class Silence implements Progress {
        @Override
        public void begin(Item item) {}

        @Override
        public void passed(Item item) {}

        @Override
        public void threw(Item item, Throwable thrown) {}

        @Override
        public void skipped(Item item, String reasonOrNull) {}

        @Override
        public void notRun(Item item) {}

        @Override
        public void unrequested(String id, Throwable thrown) {}

        @Override
        public void beforeClassFailed(String className, Throwable thrown, Iterable<Item> kept) {}

        @Override
        public void afterClassFailed(String className, Throwable thrown) {}
    }
}
