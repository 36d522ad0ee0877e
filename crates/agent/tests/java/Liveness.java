import java.lang.ref.WeakReference;

/** The agent keeps nothing alive: neither what a test lets go, nor classes. */
final class Liveness {
    static final class Thing {
        Thing inside;
        int value;
    }

    static Thing kept = new Thing();
    static WeakReference<Object> gone;

    // R Liveness.kept
    // W Liveness.kept -> Liveness$Thing.value: 0 -> 1
    // W Liveness.kept -> Liveness$Thing.inside: null -> Liveness$Thing
    static void t0() {
        kept.value = 1;
        kept.inside = new Thing();
    }

    // Written, replaced and collected within one test.
    // R Liveness.kept
    // R Liveness.kept -> Liveness$Thing.inside
    // W Liveness.kept -> Liveness$Thing.value
    // W Liveness.kept -> Liveness$Thing.inside -> Liveness$Thing.value
    // W Liveness.kept: Liveness$Thing -> null
    // W Liveness.gone: null -> WeakReference
    static void t1() throws Exception {
        kept.value = 2;
        kept.inside.value = 3;
        gone = new WeakReference<>(kept);
        kept = null;
        awaitCollection();
    }

    // W Liveness.gone: WeakReference -> WeakReference
    // W Liveness$Loaded.last: null -> Liveness$Loaded
    static void t2() throws Exception {
        ClassLoader loader = new OwnLoader();
        Class<?> type = loader.loadClass("Liveness$Loaded");
        Aliasing.require(type.getClassLoader() == loader);
        type.getDeclaredConstructor().newInstance();
        gone = new WeakReference<>(loader);
    }

    // R Liveness.gone
    // R Liveness.gone -> Reference.referent
    static void t3() throws Exception {
        awaitCollection();
    }

    private static void awaitCollection() throws Exception {
        for (int i = 0; i < 100 && gone.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        Aliasing.require(gone.get() == null);
    }

    public static final class Loaded {
        static Loaded last;
        int number;

        public Loaded() {
            last = this;
            number = 5;
        }
    }

    private static final class OwnLoader extends ClassLoader {
        OwnLoader() {
            super(Liveness.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals("Liveness$Loaded")) {
                return super.loadClass(name, resolve);
            }
            try (java.io.InputStream in = getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (java.io.IOException impossible) {
                throw new AssertionError(impossible);
            }
        }
    }
}
