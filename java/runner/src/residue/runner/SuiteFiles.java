package residue.runner;

import java.util.List;

/** An adapter whose framework can take its selection of tests from suite files. */
public interface SuiteFiles {
    /** Lists the tests that the suite files select, in the order in which the framework runs them. */
    void listSuites(List<String> files, Listing listing);
}
