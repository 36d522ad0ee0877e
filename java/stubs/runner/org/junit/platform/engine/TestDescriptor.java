package org.junit.platform.engine;

import java.util.Set;

public interface TestDescriptor {
    UniqueId getUniqueId();

    Set<? extends TestDescriptor> getChildren();

    void addChild(TestDescriptor descriptor);

    void removeChild(TestDescriptor descriptor);
}
