package org.junit.platform.engine.support.descriptor;

import org.junit.platform.engine.TestSource;

public class MethodSource implements TestSource {
    MethodSource() {}

    public String getClassName() {
        return null;
    }

    public final String getMethodName() {
        return null;
    }

    public final String getMethodParameterTypes() {
        return null;
    }
}
