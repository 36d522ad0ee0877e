package residue.maven;

import java.io.File;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.maven.execution.MojoExecutionEvent;
import org.apache.maven.project.MavenProject;
import org.eclipse.aether.RepositorySystem;

/**
 * One configured {@code surefire:test} as a JSON document.
 *
 * <p>Where a version of Surefire has a method that computes a value (class path, classes, system
 * properties, JVM, provider), that method is asked, so the answer is Surefire's own; where it has
 * none, the value is put together from the parameters as that version does it inline.
 */
final class SurefireReader {
    private final MojoExecutionEvent event;
    private final MavenProject project;
    private final String version;
    private final Mirror mojo;
    private final RepositorySystem repositories;
    private final List<String> problems = new ArrayList<>();

    SurefireReader(MojoExecutionEvent event, RepositorySystem repositories) {
        this.event = event;
        this.project = event.getProject();
        this.version = event.getExecution().getVersion();
        this.mojo = new Mirror(event.getMojo());
        this.repositories = repositories;
    }

    Map<String, Object> read() {
        // Looks up the toolchain, which the JVM depends on.
        askSurefire("setupStuff");
        Object testClassPath = askSurefire("generateTestClasspath");
        List<String> classPath = classPath(testClassPath);
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("reactorIndex", event.getSession().getProjects().indexOf(project));
        document.put("baseDir", project.getBasedir());
        document.put("executionId", event.getExecution().getExecutionId());
        document.put("surefireVersion", version);
        document.put("java", java());
        document.put("providers", providers(testClassPath));
        document.put("classes", classes(classPath));
        document.put("runOrder", mojo.get("runOrder"));
        document.put("forkMode", mojo.get("forkMode"));
        document.put("forkCount", mojo.get("forkCount"));
        document.put("reuseForks", mojo.get("reuseForks"));
        document.put("argLine", mojo.get("argLine"));
        document.put("lateProperties", lateProperties());
        document.put("enableAssertions", enableAssertions());
        document.put("systemProperties", systemProperties());
        // After java(), since Surefire adds JAVA_HOME to them when it chooses a JVM.
        document.put("environment", mojo.get("environmentVariables"));
        document.put("excludedEnvironment", list(mojo.get("excludedEnvironmentVariables")));
        document.put("workingDirectory", workingDirectory());
        document.put("groups", mojo.get("groups"));
        document.put("excludedGroups", mojo.get("excludedGroups"));
        document.put("test", mojo.get("test"));
        document.put("suiteXmlFiles", list(mojo.get("suiteXmlFiles")));
        document.put("platformParameters", platformParameters());
        document.put("listeners", listeners());
        document.put("methodFilters", methodFilters());
        classPath.addAll(platformJars());
        document.put("classPath", classPath);
        document.put("problems", problems);
        return document;
    }

    private List<String> classPath(Object testClassPath) {
        try {
            if (testClassPath instanceof List) {
                return strings(testClassPath);
            }
            if (testClassPath != null) {
                Object entries = testClassPath;
                if (hasMethod(entries, "toClasspath")) {
                    entries = new Mirror(entries).call("toClasspath");
                }
                return withoutHelpers(strings(new Mirror(entries).call("getClassPath")));
            }
        } catch (ReflectiveOperationException e) {
            problems.add("Surefire's class path could not be read (" + e.getMessage() + "); Maven's is used");
        }
        List<String> entries = strings(mojo.get("classpathElements"));
        if (entries.isEmpty()) {
            entries = strings(new Mirror(project).get("testClasspathElements"));
        }
        entries.addAll(strings(mojo.get("additionalClasspathElements")));
        return entries;
    }

    /** Some versions put jars of their own TestNG provider among the project's. */
    private static List<String> withoutHelpers(List<String> entries) {
        entries.removeIf(entry -> new File(entry).getName().matches("surefire-(testng-utils|grouper)-.*\\.jar"));
        return entries;
    }

    private List<String> classes(List<String> classPath) {
        for (String method : new String[] {"scanForTestClasses", "scanDirectories"}) {
            if (!hasMethod(event.getMojo(), method)) {
                continue;
            }
            Object scan = askSurefire(method);
            if (scan != null) {
                return scanned(new Mirror(scan));
            }
        }
        return new LegacyScan(mojo, event.getMojo().getClass().getClassLoader(), problems).classes(version, classPath);
    }

    private List<String> scanned(Mirror scan) {
        List<String> names = new ArrayList<>();
        try {
            int size = (Integer) scan.call("size");
            for (int i = 0; i < size; i++) {
                names.add((String) scan.call("getClassName", i));
            }
        } catch (ReflectiveOperationException e) {
            problems.add("Surefire's list of test classes could not be read: " + e.getMessage());
        }
        return names;
    }

    private Object java() {
        Object effective = askSurefire("getEffectiveJvm");
        if (effective != null && !(effective instanceof String)) {
            effective = new Mirror(effective).get("jvmExecutable");
        }
        if (effective != null) {
            return effective;
        }
        Object jvm = mojo.get("jvm");
        if (jvm != null && !jvm.toString().isEmpty()) {
            return jvm;
        }
        Object toolchain = askSurefire("getToolchain");
        if (toolchain != null) {
            try {
                return new Mirror(toolchain).call("findTool", "java");
            } catch (ReflectiveOperationException e) {
                problems.add("the JDK of the toolchain is unknown (" + e.getMessage() + "); Maven's own is used");
            }
        }
        return new File(new File(System.getProperty("java.home"), "bin"), "java");
    }

    private List<String> providers(Object testClassPath) {
        List<String> names = new ArrayList<>();
        try {
            Object providers;
            try {
                providers = mojo.call("createProviders");
            } catch (NoSuchMethodException e) {
                providers = mojo.call("createProviders", testClassPath);
            }
            for (Object provider : (Collection<?>) providers) {
                names.add(String.valueOf(new Mirror(provider).call("getProviderName")));
            }
        } catch (ReflectiveOperationException e) {
            // Versions before 2.9 have no such list; the class path then tells who runs the tests.
            names.clear();
        }
        return names;
    }

    private Map<String, String> lateProperties() {
        Map<String, String> mentioned = new TreeMap<>();
        Object argLine = mojo.get("argLine");
        if (argLine != null) {
            Properties properties = project.getProperties();
            for (String key : properties.stringPropertyNames()) {
                if (argLine.toString().contains("@{" + key + "}")) {
                    mentioned.put(key, properties.getProperty(key));
                }
            }
        }
        return mentioned;
    }

    private Object enableAssertions() {
        Object effective = askSurefire("effectiveIsEnableAssertions");
        return effective != null ? effective : mojo.get("enableAssertions");
    }

    private Map<String, String> systemProperties() {
        Map<String, String> all = new TreeMap<>();
        Object effective = askSurefire("setupProperties");
        if (effective instanceof Properties) {
            copy((Properties) effective, all);
        } else {
            copy((Map<?, ?>) mojo.get("systemProperties"), all);
            copy((Map<?, ?>) mojo.get("systemPropertyVariables"), all);
            // 2.4 and older kept the user's properties to themselves.
            if (mojo.get("systemPropertyVariables") != null || hasMethod(event.getMojo(), "getSystemPropertyVariables")) {
                copy(event.getSession().getUserProperties(), all);
            }
            all.put("basedir", project.getBasedir().getAbsolutePath());
            all.put("user.dir", workingDirectory().toString());
            Object localRepository = mojo.get("localRepository");
            if (localRepository != null) {
                all.put("localRepository", String.valueOf(new Mirror(localRepository).get("basedir")));
            }
        }
        all.remove(SurefireProbe.OUTPUT_PROPERTY);
        all.remove("maven.ext.class.path");
        return all;
    }

    private static void copy(Map<?, ?> from, Map<String, String> to) {
        if (from == null) {
            return;
        }
        for (Map.Entry<?, ?> entry : from.entrySet()) {
            String value = entry.getValue() == null ? "" : entry.getValue().toString();
            to.put(entry.getKey().toString(), value);
        }
    }

    private Object workingDirectory() {
        Object configured = mojo.get("workingDirectory");
        return configured != null ? configured : project.getBasedir();
    }

    /** The JUnit Platform's own settings, which a pom gives as the text of a properties file. */
    private Map<String, String> platformParameters() {
        Map<String, String> parameters = new TreeMap<>();
        Object text = frameworkProperty("configurationParameters");
        if (text != null) {
            Properties parsed = new Properties();
            try {
                parsed.load(new StringReader(text.toString()));
                copy(parsed, parameters);
            } catch (IOException | IllegalArgumentException e) {
                problems.add("configurationParameters cannot be read: " + e.getMessage());
            }
        }
        return parameters;
    }

    /** Classes that the pom adds to JUnit 4 or TestNG, separated as Surefire separates them. */
    private List<String> listeners() {
        List<String> classes = new ArrayList<>();
        Object text = frameworkProperty("listener");
        for (String name : text == null ? new String[0] : text.toString().split("[,\\s]+")) {
            if (!name.isEmpty()) {
                classes.add(name);
            }
        }
        return classes;
    }

    /** One of the settings that a pom hands through to the test framework. */
    private Object frameworkProperty(String name) {
        Object properties = mojo.get("properties");
        return properties instanceof Map ? ((Map<?, ?>) properties).get(name) : null;
    }

    /** Patterns that choose single methods; the class list says nothing of those. */
    private List<String> methodFilters() {
        List<String> filters = new ArrayList<>();
        for (String parameter : new String[] {"test", "includes", "excludes"}) {
            for (String pattern : strings(mojo.get(parameter))) {
                if (pattern.contains("#")) {
                    filters.add(pattern);
                }
            }
        }
        return filters;
    }

    private List<String> platformJars() {
        try {
            return new PlatformJars(event, repositories).missing();
        } catch (Exception e) {
            problems.add("the JUnit Platform's own jars could not be resolved: " + e.getMessage());
            return Collections.emptyList();
        }
    }

    /** What the version's own method answers; null when it has none or the method fails. */
    private Object askSurefire(String method) {
        try {
            return mojo.call(method);
        } catch (NoSuchMethodException e) {
            return null;
        } catch (ReflectiveOperationException e) {
            problems.add("Surefire " + version + " could not answer " + e.getMessage());
            return null;
        }
    }

    private static boolean hasMethod(Object object, String name) {
        for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
            for (java.lang.reflect.Method method : type.getDeclaredMethods()) {
                if (method.getName().equals(name)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static Collection<?> list(Object value) {
        if (value == null) {
            return Collections.emptyList();
        }
        if (value instanceof Object[]) {
            return Arrays.asList((Object[]) value);
        }
        return value instanceof Collection ? (Collection<?>) value : Collections.singletonList(value);
    }

    static List<String> strings(Object value) {
        List<String> texts = new ArrayList<>();
        for (Object element : list(value)) {
            if (element != null) {
                texts.add(element.toString());
            }
        }
        return texts;
    }
}
