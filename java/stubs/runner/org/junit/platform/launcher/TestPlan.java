package org.junit.platform.launcher;

import java.util.Collections;
import java.util.Optional;
import java.util.Set;

public class TestPlan {
    TestPlan() {}

    public Set<TestIdentifier> getRoots() {
        return Collections.emptySet();
    }

    public Optional<TestIdentifier> getParent(TestIdentifier child) {
        return Optional.empty();
    }

    public Set<TestIdentifier> getChildren(TestIdentifier parent) {
        return Collections.emptySet();
    }
}
