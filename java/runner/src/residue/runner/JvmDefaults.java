package residue.runner;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.Locale;
import java.util.TimeZone;

/** State of the JVM that tests like to change, each by its public interface. */
final class JvmDefaults {
    private JvmDefaults() {}

    static Keepsake property(final String key) {
        final String value = System.getProperty(key);
        return new Keepsake() {
            @Override
            public void putBack() {
                if (value == null) {
                    System.clearProperty(key);
                } else {
                    System.setProperty(key, value);
                }
            }
        };
    }

    /** @return null if the static field is none of those */
    static Keepsake of(String className, String fieldName) {
        if (className.equals("java.util.Locale")) {
            return locale();
        }
        if (className.equals("java.util.TimeZone")) {
            return timeZone();
        }
        return className.equals("java.lang.System") ? stream(fieldName) : null;
    }

    private static Keepsake locale() {
        final Locale all = Locale.getDefault();
        final Locale display = Locale.getDefault(Locale.Category.DISPLAY);
        final Locale format = Locale.getDefault(Locale.Category.FORMAT);
        return new Keepsake() {
            @Override
            public void putBack() {
                Locale.setDefault(all);
                Locale.setDefault(Locale.Category.DISPLAY, display);
                Locale.setDefault(Locale.Category.FORMAT, format);
            }
        };
    }

    private static Keepsake timeZone() {
        final TimeZone zone = TimeZone.getDefault();
        return new Keepsake() {
            @Override
            public void putBack() {
                TimeZone.setDefault(zone);
            }
        };
    }

    private static Keepsake stream(final String name) {
        final PrintStream out = name.equals("err") ? System.err : System.out;
        final InputStream in = System.in;
        return new Keepsake() {
            @Override
            public void putBack() {
                if (name.equals("out")) {
                    System.setOut(out);
                } else if (name.equals("err")) {
                    System.setErr(out);
                } else if (name.equals("in")) {
                    System.setIn(in);
                } else {
                    throw new IllegalArgumentException("the JVM does not let it be set");
                }
            }
        };
    }
}
