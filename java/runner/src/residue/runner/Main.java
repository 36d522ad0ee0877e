package residue.runner;

/** Entry point of the JVM under test. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {}
}
