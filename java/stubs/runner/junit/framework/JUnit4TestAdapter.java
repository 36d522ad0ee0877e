package junit.framework;

/** Only in JUnit 4. */
public class JUnit4TestAdapter implements Test {
    public Class<?> getTestClass() {
        return null;
    }

    @Override
    public int countTestCases() {
        return 0;
    }

    @Override
    public void run(TestResult result) {}
}
