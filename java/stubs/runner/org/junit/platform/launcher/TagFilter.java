package org.junit.platform.launcher;

import java.util.List;

public final class TagFilter {
    private TagFilter() {}

    public static PostDiscoveryFilter includeTags(List<String> tagExpressions) {
        return null;
    }

    public static PostDiscoveryFilter excludeTags(List<String> tagExpressions) {
        return null;
    }
}
