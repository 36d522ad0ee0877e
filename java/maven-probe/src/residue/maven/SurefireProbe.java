package residue.maven;

/** Reports how Surefire is configured. */
final class SurefireProbe {
    private SurefireProbe() {}
}
