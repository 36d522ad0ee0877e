package org.testng;

public interface IClass {
    String getName();

    Class<?> getRealClass();

    Object[] getInstances(boolean create);
}
