package org.junit.platform.engine.discovery;

public final class DiscoverySelectors {
    private DiscoverySelectors() {}

    public static ClassSelector selectClass(Class<?> clazz) {
        return new ClassSelector();
    }

    public static UniqueIdSelector selectUniqueId(String uniqueId) {
        return new UniqueIdSelector();
    }
}
