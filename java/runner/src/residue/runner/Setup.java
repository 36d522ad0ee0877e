package residue.runner;

import java.util.List;
import java.util.Map;

/** How the host wants this JVM to run tests. */
public final class Setup {
    public enum Provider {
        AUTO,
        JUNIT4,
        PLATFORM,
        TESTNG
    }

    public final String classPath;
    public final Map<String, String> systemProperties;
    public final Provider provider;
    /** Groups, tags or categories to include and to leave out, in Surefire's syntax; may be null. */
    public final String groups;
    public final String excludedGroups;
    public final Map<String, String> platformParameters;
    /** Classes of listeners that the build adds to JUnit 4 or TestNG. */
    public final List<String> listeners;
    /** Stands in the marks that tell the host whose output is whose. */
    public final String outputMark;

    public Setup(
            String classPath,
            Map<String, String> systemProperties,
            Provider provider,
            String groups,
            String excludedGroups,
            Map<String, String> platformParameters,
            List<String> listeners,
            String outputMark) {
        this.classPath = classPath;
        this.systemProperties = systemProperties;
        this.provider = provider;
        this.groups = groups;
        this.excludedGroups = excludedGroups;
        this.platformParameters = platformParameters;
        this.listeners = listeners;
        this.outputMark = outputMark;
    }
}
