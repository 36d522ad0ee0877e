// An object under construction belongs to its constructor.
public class Construction {
    int value;
    final Construction partner;
    Construction last;

    public static String run() {
        Construction first = new Construction(-4, null);
        Construction second = new Construction(1, first);
        Inner inner = second.new Inner();
        return inner.seen + " " + (second.partner == null);
        // result: 27 true
    }

    Construction(int start, Construction other) {
        // Frames with an uninitialised `this` below the ternary.
        this(other == null ? null : other.last, start > 0 ? start : -start);
        // hook: read Construction.last
        value++;
        if (other != null) {
            // Only the own object is new.
            other.last = this; // hook: writeRef Construction.last
            value += other.value; // hook: read Construction.value
        }
        Construction self = this;
        self.value += 10;
    }

    Construction(Construction partner, int value) {
        this.partner = partner;
        this.value = value;
    }

    class Inner {
        // hook: read Construction.value
        // hook: read Construction$Inner.seen
        int seen = value;
    }
}
