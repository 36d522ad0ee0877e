import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Links classes, which verifies them, without initialising any.
 *
 * <pre>
 *     Link modules [PREFIX]               all classes of all modules of the boot layer, or those
 *                                         whose path, such as java.base/java/util/, begins so
 *     Link jars REWRITTEN-FOLDER JAR...   all classes of the jars, in their rewritten form
 * </pre>
 *
 * A broken class {@code java.lang.ResidueCanary} must be there, to show that broken classes are found.
 * Prints {@code OUTCOME CLASS MESSAGE} for each class that does not link, and figures at the end.
 */
public final class Link {
    /** Asking for members links a class first, and does not initialise it. */
    private static final List<Asked> QUESTIONS =
            List.of(Class::getDeclaredConstructors, Class::getDeclaredFields, Class::getDeclaredMethods);

    private final Map<String, Integer> figures = new TreeMap<>();

    private interface Asked {
        Object[] of(Class<?> type);
    }

    public static void main(String[] arguments) throws Exception {
        String canary = link(() -> Class.forName("java.lang.ResidueCanary", false, null));
        if (canary == null || !canary.contains("VerifyError")) {
            throw new IllegalStateException("classes of the JDK are not verified: " + canary);
        }
        Link link = new Link();
        if (arguments[0].equals("modules")) {
            link.modules(arguments.length > 1 ? arguments[1] : "");
        } else {
            link.jars(Path.of(arguments[1]), List.of(arguments).subList(2, arguments.length));
        }
        link.figures.forEach((outcome, count) -> System.out.println("figure " + outcome + " " + count));
    }

    private void modules(String prefix) throws IOException {
        Path root = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
        List<Path> classes;
        try (Stream<Path> files = Files.walk(root)) {
            classes = files.filter(file -> file.toString().endsWith(".class")).toList();
        }
        for (Path file : classes) {
            String module = file.getName(1).toString();
            String path = file.subpath(2, file.getNameCount()).toString();
            if (!path.endsWith("module-info.class") && (module + "/" + path).startsWith(prefix)) {
                ClassLoader loader = ModuleLayer.boot().findLoader(module);
                String name = className(path);
                count(name, link(() -> Class.forName(name, false, loader)));
            }
        }
    }

    private static String className(String path) {
        return path.substring(0, path.length() - ".class".length()).replace('/', '.');
    }

    private void jars(Path rewritten, List<String> jars) throws IOException {
        Archives originals = new Archives();
        Archives changed = new Archives();
        Archives both = new Archives();
        for (String jar : jars) {
            Path changedJar = rewritten.resolve(Path.of(jar).getFileName().toString());
            originals.add(Path.of(jar));
            changed.add(changedJar);
            both.add(changedJar);
            both.add(Path.of(jar));
        }
        ClassLoader commonOriginals = new ArchiveLoader(originals, ClassLoader.getPlatformClassLoader());
        ClassLoader commonBoth = new ArchiveLoader(both, ClassLoader.getPlatformClassLoader());
        for (int index = 0; index < jars.size(); index++) {
            for (String folder : originals.foldersOf(index)) {
                // Each jar by itself first, since several may have a class of the same name.
                Archives original = originals.only(index, folder);
                ClassLoader originalLoader = new ArchiveLoader(original, commonOriginals);
                Archives pair = new Archives(changed.only(index, folder), original);
                ClassLoader changedLoader = new ArchiveLoader(pair, commonBoth);
                for (String name : original.names()) {
                    String failure = link(() -> changedLoader.loadClass(name));
                    if (failure != null && link(() -> originalLoader.loadClass(name)) != null) {
                        failure = failure.replaceFirst("failed", "unlinkable-anyway");
                    }
                    count(name, failure);
                }
            }
        }
    }

    private static String link(Callable<Class<?>> load) {
        Class<?> type;
        try {
            type = load.call();
        } catch (ClassNotFoundException | LinkageError problem) {
            return "failed " + problem;
        } catch (Exception problem) {
            throw new IllegalStateException(problem);
        }
        Throwable last = null;
        for (Asked question : QUESTIONS) {
            try {
                question.of(type);
                // Of an interface only the fields ask the VM.
                if (!type.isInterface() || question == QUESTIONS.get(1)) {
                    return null;
                }
            } catch (VerifyError | ClassFormatError problem) {
                return "failed " + problem;
            } catch (LinkageError | TypeNotPresentException problem) {
                last = problem;
            }
        }
        return "failed " + last;
    }

    private void count(String name, String failure) {
        figures.merge("classes", 1, Integer::sum);
        if (failure == null) {
            figures.merge("verified", 1, Integer::sum);
            return;
        }
        String[] outcomeAndMessage = failure.split(" ", 2);
        figures.merge(outcomeAndMessage[0], 1, Integer::sum);
        System.out.println(outcomeAndMessage[0] + " " + name + " " + outcomeAndMessage[1].lines().findFirst().orElse(""));
    }

    /** Classes in jars, the first of a name winning. */
    private static final class Archives {
        private record Place(ZipFile jar, ZipEntry entry) {}

        private final Map<String, Place> classes = new HashMap<>();
        private final List<ZipFile> jars = new ArrayList<>();

        Archives(Archives... first) {
            for (Archives one : first) {
                one.classes.forEach(classes::putIfAbsent);
            }
        }

        void add(Path file) throws IOException {
            ZipFile jar = new ZipFile(file.toFile());
            jars.add(jar);
            add(jar, "");
        }

        private void add(ZipFile jar, String folder) {
            jar.stream()
                    .filter(entry -> folder(entry.getName()).equals(folder) && isClass(entry.getName()))
                    .forEach(entry -> classes.putIfAbsent(
                            className(entry.getName().substring(folder.length())), new Place(jar, entry)));
        }

        private static boolean isClass(String path) {
            return path.endsWith(".class") && !path.endsWith("module-info.class");
        }

        /** Nothing, or where a multi-release jar has the classes of a release. */
        private static String folder(String path) {
            String versions = "META-INF/versions/";
            if (!path.startsWith(versions)) {
                return path.startsWith("META-INF/") ? "META-INF/" : "";
            }
            return path.substring(0, path.indexOf('/', versions.length()) + 1);
        }

        List<String> foldersOf(int index) {
            return jars.get(index).stream()
                    .map(entry -> folder(entry.getName()))
                    .filter(folder -> !folder.equals("META-INF/"))
                    .distinct()
                    .toList();
        }

        Archives only(int index, String folder) {
            Archives result = new Archives();
            result.add(jars.get(index), folder);
            return result;
        }

        List<String> names() {
            return classes.keySet().stream().sorted().toList();
        }

        byte[] read(String name) throws IOException {
            Place place = classes.get(name);
            if (place == null) {
                return null;
            }
            try (InputStream in = place.jar.getInputStream(place.entry)) {
                return in.readAllBytes();
            }
        }
    }

    /** Looks into its jars before it asks its parent. */
    private static final class ArchiveLoader extends ClassLoader {
        private final Archives archives;

        ArchiveLoader(Archives archives, ClassLoader parent) {
            super(parent);
            this.archives = archives;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                if (known != null) {
                    return known;
                }
                byte[] bytes;
                try {
                    bytes = name.startsWith("java.") ? null : archives.read(name);
                } catch (IOException problem) {
                    throw new ClassNotFoundException(name, problem);
                }
                return bytes == null ? super.loadClass(name, resolve) : defineClass(name, bytes, 0, bytes.length);
            }
        }
    }
}
