package org.junit.platform.engine.support.descriptor;

import java.util.Collections;
import java.util.Set;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.UniqueId;

public class EngineDescriptor implements TestDescriptor {
    public EngineDescriptor(UniqueId uniqueId, String displayName) {}

    @Override
    public final UniqueId getUniqueId() {
        return null;
    }

    @Override
    public final Set<? extends TestDescriptor> getChildren() {
        return Collections.emptySet();
    }

    @Override
    public void addChild(TestDescriptor child) {}

    @Override
    public void removeChild(TestDescriptor child) {}
}
