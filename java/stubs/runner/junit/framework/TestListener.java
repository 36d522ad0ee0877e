package junit.framework;

public interface TestListener {
    void addError(Test test, Throwable thrown);

    void addFailure(Test test, AssertionFailedError thrown);

    void endTest(Test test);

    void startTest(Test test);
}
