// What never changes is left alone.
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

@Deprecated
@Finals.Why(reasons = {@Finals.Reason("fixed")})
public class Finals implements Comparable<Finals> {
    @interface Reason {
        String value();
    }

    @Retention(RetentionPolicy.CLASS)
    @interface Why {
        Reason[] reasons();
    }

    enum Colour { RED, GREEN }

    static final Object CONSTANT = new Object();
    @Deprecated final int own;

    Finals(int own) {
        this.own = own;
    }

    public static String run() {
        // hook: classInitialized
        assert CONSTANT != null;
        Finals finals = new Finals(3);
        int captured = finals.own;
        class Local {
            int of(Other other) {
                // hook: read Finals$Other.open
                // hook: read Finals$Other.closed
                // The field of another class may or may not be final.
                return captured + other.open + other.closed;
            }
        }
        int sum = new Local().of(new Other());
        // The enum, then the class with the map of the switch, then the switch itself.
        // hook: classInitialized
        // hook: staticRead Finals$Colour.RED
        // hook: staticRead Finals$Colour.GREEN
        // hook: classInitialized
        // hook: staticRead Finals$Colour.GREEN
        switch (Colour.GREEN) {
            case RED:
                return "red";
            case GREEN:
                return Colour.values().length + " " + sum;
            default:
                return "other";
        }
        // result: 2 8
    }

    @Override
    public int compareTo(Finals other) {
        return 0;
    }

    static class Other {
        int open = 1;
        final int closed = Integer.parseInt("4");
    }
}
