package org.junit.platform.engine.support.descriptor;

import org.junit.platform.engine.TestSource;

public class ClassSource implements TestSource {
    ClassSource() {}

    public final String getClassName() {
        return null;
    }
}
