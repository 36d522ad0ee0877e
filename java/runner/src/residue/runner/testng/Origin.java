package residue.runner.testng;

import java.util.Objects;

/** The TestNG suite and test in which a test method runs. */
final class Origin {
    /** The suite file; empty if the build selects classes. */
    final String file;
    final String suite;
    final String test;

    Origin(String file, String suite, String test) {
        this.file = file;
        this.suite = suite;
        this.test = test;
    }

    boolean sameSuite(Origin other) {
        return file.equals(other.file) && suite.equals(other.suite);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Origin
                && sameSuite((Origin) other)
                && test.equals(((Origin) other).test);
    }

    @Override
    public int hashCode() {
        return Objects.hash(file, suite, test);
    }
}
