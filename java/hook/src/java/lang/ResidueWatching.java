package java.lang;

/**
 * Which code of the project is reached: a byte for each block, outside the heap. The agent takes the
 * flags down when an epoch ends, and when a class initialiser begins or ends.
 */
final class ResidueWatching {
    static final long FLAGS = ResidueNative.constant(ResidueLimits.FLAGS);

    private ResidueWatching() {}
}
