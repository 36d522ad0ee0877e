package junit.framework;

public abstract class TestCase implements Test {
    public String getName() {
        return null;
    }

    @Override
    public int countTestCases() {
        return 1;
    }

    @Override
    public void run(TestResult result) {}
}
