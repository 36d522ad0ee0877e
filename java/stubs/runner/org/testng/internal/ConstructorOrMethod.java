package org.testng.internal;

import java.lang.reflect.Method;

public class ConstructorOrMethod {
    ConstructorOrMethod() {}

    public Method getMethod() {
        return null;
    }
}
