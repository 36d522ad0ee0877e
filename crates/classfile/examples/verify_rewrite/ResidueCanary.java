package java.lang;

/** After compilation {@code iconst_1} is made {@code aload_0}, which must not verify. */
public final class ResidueCanary {
    private ResidueCanary() {}

    static int one(Object argument) {
        return 1;
    }
}
