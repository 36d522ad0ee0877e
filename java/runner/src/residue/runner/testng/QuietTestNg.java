package residue.runner.testng;

import java.util.List;
import org.testng.TestNG;
import org.testng.xml.XmlSuite;

/** Runs suites without TestNG's own reporters, console output and report folder. */
final class QuietTestNg {
    private QuietTestNg() {}

    static void run(List<XmlSuite> suites, List<?> listeners) {
        TestNG testNg = new TestNG(false);
        testNg.setVerbose(0);
        testNg.setDataProviderThreadCount(1);
        testNg.setXmlSuites(suites);
        for (Object listener : listeners) {
            testNg.addListener(listener);
        }
        testNg.run();
    }
}
