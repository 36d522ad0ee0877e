import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Locale;
import java.util.TimeZone;

/** State of the JDK that tests can change for each other. */
final class World {
    static PrintStream original;

    // W Locale.defaultLocale
    static void t0() {
        Locale.setDefault(Locale.GERMANY.equals(Locale.getDefault()) ? Locale.US : Locale.GERMANY);
    }

    // R Locale.defaultLocale
    static void t1() {
        Aliasing.require(Locale.getDefault() != null);
    }

    // W TimeZone.defaultTimeZone
    static void t2() {
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
    }

    // R TimeZone.defaultTimeZone
    static void t3() {
        Aliasing.require(TimeZone.getDefault().getID().equals("Asia/Tokyo"));
    }

    // W system property "residue.test"*
    static void t4() {
        System.setProperty("residue.test", "1");
    }

    // R system property "residue.test"*
    static void t5() {
        Aliasing.require(System.getProperty("residue.test").equals("1"));
    }

    // W System.out
    // W World.original: null -> PrintStream
    static void t6() {
        original = System.out;
        System.setOut(new PrintStream(new ByteArrayOutputStream()));
    }

    // R System.out
    // R World.original
    // W System.out
    static void t7() {
        System.out.print("to nobody");
        System.setOut(original);
    }
}
