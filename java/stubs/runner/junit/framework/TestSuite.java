package junit.framework;

public class TestSuite implements Test {
    /** Its parameter is a raw Class in 3.8 and a wildcard later: the same byte code. */
    public TestSuite(Class<?> testClass) {}

    public String getName() {
        return null;
    }

    public int testCount() {
        return 0;
    }

    public Test testAt(int index) {
        return null;
    }

    @Override
    public int countTestCases() {
        return 0;
    }

    @Override
    public void run(TestResult result) {}
}
