package org.junit.platform.launcher;

import java.util.Optional;
import org.junit.platform.engine.TestSource;

public final class TestIdentifier {
    TestIdentifier() {}

    public String getUniqueId() {
        return null;
    }

    public boolean isTest() {
        return false;
    }

    public boolean isContainer() {
        return false;
    }

    public Optional<TestSource> getSource() {
        return Optional.empty();
    }
}
