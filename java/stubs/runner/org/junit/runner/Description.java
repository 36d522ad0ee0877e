package org.junit.runner;

import java.lang.annotation.Annotation;
import java.util.ArrayList;

public class Description {
    public static final Description EMPTY = null;

    public static Description createSuiteDescription(String name, Annotation... annotations) {
        return null;
    }

    public void addChild(Description child) {}

    public String getDisplayName() {
        return null;
    }

    public ArrayList<Description> getChildren() {
        return null;
    }

    public <T extends Annotation> T getAnnotation(Class<T> type) {
        return null;
    }
}
