package residue.runner;

/** What a place in shared state held at some time. */
interface Keepsake {
    /** Makes the place hold that again. */
    void putBack() throws Exception;
}
