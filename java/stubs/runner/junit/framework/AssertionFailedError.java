package junit.framework;

/** An Error in 3.8, an AssertionError in 4. */
public class AssertionFailedError extends Error {
    private static final long serialVersionUID = 1L;
}
