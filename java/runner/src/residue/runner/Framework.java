package residue.runner;

/** The frameworks, in the order of their numbers in the protocol. */
public enum Framework {
    JUNIT3,
    JUNIT4,
    PLATFORM,
    TESTNG
}
