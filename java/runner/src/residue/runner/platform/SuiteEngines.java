package residue.runner.platform;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.platform.engine.TestEngine;

/**
 * The engines that the suite brings, in the order in which the launcher would run them. Vintage is
 * left out: JUnit 3 and 4 have an adapter of their own.
 */
final class SuiteEngines {
    private static final String VINTAGE = "junit-vintage";

    private final List<TestEngine> engines = new ArrayList<TestEngine>();

    SuiteEngines(ClassLoader loader) {
        for (TestEngine engine : ServiceLoader.load(TestEngine.class, loader)) {
            if (!VINTAGE.equals(engine.getId())) {
                engines.add(engine);
            }
        }
    }

    List<TestEngine> all() {
        return engines;
    }

    /** The engine with this id; null if the suite no longer has it. */
    TestEngine byId(String id) {
        for (TestEngine engine : engines) {
            if (engine.getId().equals(id)) {
                return engine;
            }
        }
        return null;
    }
}
