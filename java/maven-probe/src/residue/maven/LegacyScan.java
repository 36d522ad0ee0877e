package residue.maven;

import java.io.File;
import java.lang.reflect.Modifier;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds test classes as Surefire before 2.12.1 did inside the forked JVM: a plain Ant-style scan
 * of the test classes, done with the same Plexus scanner.
 */
final class LegacyScan {
    private static final List<String> DEFAULT_INCLUDES =
            Arrays.asList("**/Test*.java", "**/*Test.java", "**/*TestCase.java");
    private static final List<String> DEFAULT_EXCLUDES = Collections.singletonList("**/*$*");

    private final Mirror mojo;
    private final ClassLoader plugin;
    private final List<String> problems;

    LegacyScan(Mirror mojo, ClassLoader plugin, List<String> problems) {
        this.mojo = mojo;
        this.plugin = plugin;
        this.problems = problems;
    }

    List<String> classes(String surefireVersion, List<String> classPath) {
        File folder = (File) mojo.get("testClassesDirectory");
        if (folder == null || !folder.isDirectory()) {
            return Collections.emptyList();
        }
        try {
            List<String> scanned = scan(folder);
            return surefireVersion.matches("2\\.[0-6](\\..*)?") ? hashed(scanned, classPath) : scanned;
        } catch (ReflectiveOperationException e) {
            problems.add("the test classes in " + folder + " could not be listed: " + e.getMessage());
            return Collections.emptyList();
        }
    }

    private List<String> scan(File folder) throws ReflectiveOperationException {
        Class<?> type = Class.forName("org.codehaus.plexus.util.DirectoryScanner", true, plugin);
        Object scanner = type.getConstructor().newInstance();
        type.getMethod("setBasedir", File.class).invoke(scanner, folder);
        type.getMethod("setIncludes", String[].class).invoke(scanner, (Object) patterns(includes()));
        type.getMethod("setExcludes", String[].class).invoke(scanner, (Object) patterns(excludes()));
        type.getMethod("scan").invoke(scanner);
        List<String> names = new ArrayList<>();
        for (String file : (String[]) type.getMethod("getIncludedFiles").invoke(scanner)) {
            if (file.endsWith(".class")) {
                names.add(file.substring(0, file.length() - ".class".length()).replace(File.separatorChar, '.'));
            }
        }
        return names;
    }

    private List<String> includes() {
        Object test = mojo.get("test");
        if (test != null) {
            List<String> patterns = new ArrayList<>();
            for (String name : test.toString().split(",")) {
                String bare = name.endsWith(".java") ? name.substring(0, name.length() - ".java".length()) : name;
                patterns.add("**/" + bare.replace('.', '/') + ".java");
            }
            return patterns;
        }
        List<String> configured = SurefireReader.strings(mojo.get("includes"));
        return configured.isEmpty() ? DEFAULT_INCLUDES : configured;
    }

    private List<String> excludes() {
        if (mojo.get("test") != null) {
            return Collections.emptyList();
        }
        List<String> configured = SurefireReader.strings(mojo.get("excludes"));
        return configured.isEmpty() ? DEFAULT_EXCLUDES : configured;
    }

    private static String[] patterns(List<String> configured) {
        List<String> patterns = new ArrayList<>();
        for (String several : configured) {
            for (String pattern : several.split(",")) {
                patterns.add(pattern.trim().replaceFirst("\\.java$", ".class"));
            }
        }
        return patterns.toArray(new String[0]);
    }

    /** Surefire up to 2.6 kept its concrete test classes in a hash map and ran them in its order. */
    private static List<String> hashed(List<String> scanned, List<String> classPath) {
        Map<String, Boolean> order = new HashMap<>();
        try (URLClassLoader loader = new URLClassLoader(urls(classPath), null)) {
            for (String name : scanned) {
                if (isConcrete(name, loader)) {
                    order.put(name, true);
                }
            }
        } catch (java.io.IOException e) {
            return scanned;
        }
        return new ArrayList<>(order.keySet());
    }

    private static boolean isConcrete(String name, ClassLoader loader) {
        try {
            return !Modifier.isAbstract(Class.forName(name, false, loader).getModifiers());
        } catch (ClassNotFoundException | LinkageError e) {
            return true;
        }
    }

    private static URL[] urls(List<String> classPath) throws MalformedURLException {
        URL[] urls = new URL[classPath.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = new File(classPath.get(i)).toURI().toURL();
        }
        return urls;
    }
}
