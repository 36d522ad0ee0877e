package org.junit.platform.launcher.core;

import org.junit.platform.engine.TestEngine;

public interface LauncherConfig {
    static Builder builder() {
        return new Builder();
    }

    class Builder {
        Builder() {}

        public Builder enableTestEngineAutoRegistration(boolean enabled) {
            return this;
        }

        public Builder addTestEngines(TestEngine... engines) {
            return this;
        }

        public LauncherConfig build() {
            return null;
        }
    }
}
