package org.junit.platform.engine;

import java.util.Optional;

public interface TestEngine {
    String getId();

    TestDescriptor discover(EngineDiscoveryRequest discoveryRequest, UniqueId uniqueId);

    void execute(ExecutionRequest request);

    default Optional<String> getGroupId() {
        return Optional.empty();
    }

    default Optional<String> getArtifactId() {
        return Optional.empty();
    }

    default Optional<String> getVersion() {
        return Optional.empty();
    }
}
