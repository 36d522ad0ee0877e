package residue.runner.platform;

import java.util.Optional;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.ExecutionRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.EngineDescriptor;

/**
 * Stands between the launcher and an engine of the suite and rearranges what the engine discovers.
 *
 * <p>The launcher runs its engines in a fixed order; an order of tests may need another one. So a
 * guided engine is a place, filled anew for each request. Descriptors keep the unique ids of the
 * real engine, which tests and listeners of the suite may look at; only the launcher sees our own
 * id, because the ids of JUnit's own engines are reserved to their classes.
 */
final class GuidedEngine implements TestEngine {
    private final String id;
    private TestEngine engine;
    private Selection selection;
    private boolean idle;
    private Throwable failure;

    GuidedEngine(int place) {
        this.id = "residue-" + place;
    }

    /** Lets the engine discover whatever the request selects. */
    void passOn(TestEngine to) {
        take(to, null, false);
    }

    void guide(TestEngine to, Selection by) {
        take(to, by, false);
    }

    /** Keeps the engine out of the next request. */
    void rest(TestEngine instead) {
        take(instead, null, true);
    }

    private void take(TestEngine to, Selection by, boolean resting) {
        engine = to;
        selection = by;
        idle = resting;
        failure = null;
    }

    /** What the engine threw since it was placed here. Launchers before 1.6 only log it. */
    Throwable failure() {
        return failure;
    }

    @Override
    public String getId() {
        return id;
    }

    @Override
    public TestDescriptor discover(EngineDiscoveryRequest request, UniqueId ours) {
        UniqueId real = UniqueId.forEngine(engine.getId());
        if (idle) {
            return new EngineDescriptor(real, engine.getId());
        }
        try {
            TestDescriptor root = engine.discover(request, real);
            if (selection != null) {
                new TreeArranger(selection).arrange(root);
            }
            return root;
        } catch (RuntimeException | Error thrown) {
            failure = thrown;
            throw thrown;
        }
    }

    @Override
    public void execute(ExecutionRequest request) {
        if (idle) {
            TestDescriptor root = request.getRootTestDescriptor();
            request.getEngineExecutionListener().executionStarted(root);
            request.getEngineExecutionListener()
                    .executionFinished(root, TestExecutionResult.successful());
            return;
        }
        try {
            engine.execute(request);
        } catch (RuntimeException | Error thrown) {
            failure = thrown;
            throw thrown;
        }
    }

    @Override
    public Optional<String> getGroupId() {
        return engine.getGroupId();
    }

    @Override
    public Optional<String> getArtifactId() {
        return engine.getArtifactId();
    }

    @Override
    public Optional<String> getVersion() {
        return engine.getVersion();
    }
}
