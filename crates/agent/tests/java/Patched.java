import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;

/**
 * Makes a HashMap that says it is from another source file, in a folder for
 * --patch-module, or fails unless that is the HashMap of this JVM.
 */
final class Patched {
    private static final String FILE = "HashMap.java";
    private static final String OTHER_FILE = "HashMop.java";

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0) {
            make(Path.of(arguments[0], "java/util/HashMap.class"));
        } else {
            check();
        }
    }

    private static void make(Path to) throws Exception {
        try (InputStream in = HashMap.class.getResourceAsStream("HashMap.class")) {
            String bytes = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
            Files.createDirectories(to.getParent());
            String patched = bytes.replace(FILE, OTHER_FILE);
            Files.write(to, patched.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    private static void check() {
        try {
            new HashMap<String, String>(-1);
        } catch (IllegalArgumentException e) {
            String file = e.getStackTrace()[0].getFileName();
            if (!OTHER_FILE.equals(file)) {
                throw new AssertionError(file);
            }
        }
    }
}
