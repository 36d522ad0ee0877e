package residue.runner.platform;

import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherFactory;

/** One launcher session of the suite's own launcher, with a guided engine for each engine needed. */
final class Session implements AutoCloseable {
    private final SuiteEngines engines;
    private final Requests requests;
    private final GuidedEngine[] places;
    private final Launcher launcher;
    /** An {@link LauncherSession}; null with launchers before 1.8, which know no sessions. */
    private final AutoCloseable session;

    /** @param most the largest number of engines that one request will use */
    Session(SuiteEngines engines, Requests requests, int most) {
        this.engines = engines;
        this.requests = requests;
        this.places = new GuidedEngine[most];
        for (int i = 0; i < most; i++) {
            places[i] = new GuidedEngine(i);
            places[i].rest(engines.all().get(i));
        }
        LauncherConfig config =
                LauncherConfig.builder()
                        .enableTestEngineAutoRegistration(false)
                        .addTestEngines(places)
                        .build();
        AutoCloseable opened;
        try {
            opened = Sessions.open(config);
        } catch (LinkageError launcherBefore1_8) {
            opened = null;
        }
        session = opened;
        launcher = opened == null ? LauncherFactory.create(config) : Sessions.launcher(opened);
    }

    /** Discovers with all engines and the filters of the build. Throws what an engine threw. */
    TestPlan discover(List<? extends DiscoverySelector> selectors) {
        for (int i = 0; i < places.length; i++) {
            places[i].passOn(engines.all().get(i));
        }
        TestPlan plan = null;
        RuntimeException thrown = null;
        try {
            plan = launcher.discover(requests.filtered(selectors));
        } catch (RuntimeException failure) {
            thrown = failure;
        }
        Throwable ofEngine = engineFailure();
        if (ofEngine instanceof Error) {
            throw (Error) ofEngine;
        }
        if (ofEngine != null) {
            throw (RuntimeException) ofEngine;
        }
        if (thrown != null) {
            throw thrown;
        }
        return plan;
    }

    /** What an engine itself threw: the launcher logs it, or wraps it and names our id for it. */
    private Throwable engineFailure() {
        for (GuidedEngine place : places) {
            if (place.failure() != null) {
                return place.failure();
            }
        }
        return null;
    }

    /** Runs a batch. Returns what kept it from running as a whole; null if all engines ran. */
    Throwable execute(Batch batch, TestExecutionListener listener) {
        Selection selection = new Selection(batch.targets());
        List<String> ids = batch.engineIds();
        int used = 0;
        for (String id : ids) {
            TestEngine engine = engines.byId(id);
            if (engine != null) {
                places[used++].guide(engine, selection);
            }
        }
        int free = used;
        for (TestEngine engine : engines.all()) {
            if (free < places.length && !ids.contains(engine.getId())) {
                places[free++].rest(engine);
            }
        }
        Throwable thrown = null;
        try {
            launcher.execute(requests.exact(selection.selectors()), listener);
        } catch (ClassNotFoundException | RuntimeException | LinkageError failure) {
            thrown = failure;
        }
        Throwable ofEngine = engineFailure();
        return ofEngine != null ? ofEngine : thrown;
    }

    @Override
    public void close() {
        if (session != null) {
            Sessions.close(session);
        }
    }

    /** Loaded only where the launcher knows sessions. */
    private static final class Sessions {
        static AutoCloseable open(LauncherConfig config) {
            return LauncherFactory.openSession(config);
        }

        static Launcher launcher(AutoCloseable session) {
            return ((LauncherSession) session).getLauncher();
        }

        static void close(AutoCloseable session) {
            ((LauncherSession) session).close();
        }
    }
}
