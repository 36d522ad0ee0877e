// Within a block only the first read and the first write are reported.
public class Redundant {
    int a;
    int b;

    public static int run() {
        return new Redundant().all(new Redundant());
        // result: 19
    }

    int all(Redundant other) {
        a = 1; // hook: write Redundant.a
        a = 2;
        int sum = a + a;
        sum += b; // hook: read Redundant.b
        b = 3; // hook: write Redundant.b
        b++;
        // The same field of another object is another place.
        other.a = 5; // hook: write Redundant.a
        sum += other.a + a;
        other = this;
        sum += other.a;
        // After a call everything counts again: it may have taken long.
        nothing();
        sum += a; // hook: read Redundant.a
        synchronized (this) {
            sum += a; // hook: read Redundant.a
        }
        // Where ways meet, nothing is known.
        if (sum > 0) {
            sum += a; // hook: read Redundant.a
        }
        return sum + a - a; // hook: read Redundant.a
    }

    static void nothing() {}
}
