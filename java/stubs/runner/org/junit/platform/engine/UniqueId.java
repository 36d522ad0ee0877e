package org.junit.platform.engine;

public class UniqueId {
    UniqueId() {}

    public static UniqueId forEngine(String engineId) {
        return new UniqueId();
    }
}
