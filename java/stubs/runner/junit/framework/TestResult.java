package junit.framework;

public class TestResult {
    public void addListener(TestListener listener) {}

    public void startTest(Test test) {}

    public void endTest(Test test) {}

    public void addError(Test test, Throwable thrown) {}

    public void addFailure(Test test, AssertionFailedError thrown) {}
}
