package residue.runner;

import java.lang.reflect.InvocationTargetException;
import java.util.EnumMap;
import java.util.Map;

/**
 * The frameworks of this class path, chosen as Surefire chooses its provider. An adapter's class is
 * touched only if its framework is there, since it would not link otherwise.
 */
final class Adapters {
    private static final String LAUNCHER = "org.junit.platform.launcher.Launcher";

    private final Map<Framework, Adapter> adapters = new EnumMap<Framework, Adapter>(Framework.class);
    private final boolean vintageComesFirst;

    Adapters(Setup setup, ClassLoader loader) throws Exception {
        boolean platformAllowed =
                setup.provider == Setup.Provider.AUTO || setup.provider == Setup.Provider.PLATFORM;
        Engines engines =
                platformAllowed && isPresent(LAUNCHER, loader) ? Engines.on(loader) : Engines.NONE;
        vintageComesFirst = engines.vintageComesFirst();
        if (engines.hasOthers()) {
            add(Framework.PLATFORM, "residue.runner.platform.PlatformAdapter", setup);
        }
        boolean testNgAllowed =
                setup.provider == Setup.Provider.AUTO || setup.provider == Setup.Provider.TESTNG;
        if (testNgAllowed && isPresent("org.testng.TestNG", loader)) {
            add(Framework.TESTNG, "residue.runner.testng.TestNgAdapter", setup);
        }
        if (runsOldJUnit(setup.provider, engines)) {
            addOldJUnit(setup, loader);
        }
    }

    /** Null if the framework is absent or not to be used. */
    Adapter of(Framework framework) {
        return adapters.get(framework);
    }

    /** Whether JUnit 3 and 4 tests run before those of the Platform's other engines. */
    boolean vintageComesFirst() {
        return vintageComesFirst;
    }

    private static boolean runsOldJUnit(Setup.Provider provider, Engines engines) {
        switch (provider) {
            case PLATFORM:
                return engines.hasVintage();
            case AUTO:
                return engines.hasVintage() || !engines.hasOthers();
            default:
                return true;
        }
    }

    private void addOldJUnit(Setup setup, ClassLoader loader) throws Exception {
        if (isPresent("junit.framework.TestCase", loader)) {
            add(Framework.JUNIT3, "residue.runner.junit3.JUnit3Adapter", setup);
        }
        if (isPresent("org.junit.runner.Request", loader)) {
            add(Framework.JUNIT4, "residue.runner.junit4.JUnit4Adapter", setup);
        }
    }

    private void add(Framework framework, String adapterClass, Setup setup) throws Exception {
        try {
            Object adapter = Class.forName(adapterClass).getConstructor(Setup.class).newInstance(setup);
            adapters.put(framework, (Adapter) adapter);
        } catch (InvocationTargetException thrown) {
            if (thrown.getCause() instanceof Exception) {
                throw (Exception) thrown.getCause();
            }
            throw (Error) thrown.getCause();
        }
    }

    private static boolean isPresent(String className, ClassLoader loader) {
        try {
            Class.forName(className, false, loader);
            return true;
        } catch (ClassNotFoundException absent) {
            return false;
        } catch (LinkageError broken) {
            return false;
        }
    }
}
