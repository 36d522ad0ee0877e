// Calls that go to the hook class instead.
public class Replaced {
    public static class Scale {
        long factor = 3;

        public long scaled(int times, long value) {
            return factor * times * value;
        }
    }

    public static String run() {
        int[] from = {1, 2, 3};
        int[] to = new int[3];
        System.arraycopy(from, 1, to, 0, 2); // hook: arraycopy int[]
        // hook: scaled 2
        // hook: read Replaced$Scale.factor
        long scaled = new Scale().scaled(2, 5);
        return to[0] + " " + scaled; // hook: elementRead int[] 0
        // result: 2 30
    }
}
