import org.junit.jupiter.api.TestInstance;

/** Its tests share an instance that nothing but their framework refers to. */
@TestInstance
final class Kept {
    static void t0() {}
}
