// Constants that javac copies into the classes that use them.
public class Copied {
    static final int NUMBER = 40 + 2;
    public static final String TEXT = "text";
    private static final int HIDDEN = 3;
    static final Integer BOXED = 4;
    static int variable = 5;

    public static String run() {
        // hook: classInitialized
        return "";
    }
}
