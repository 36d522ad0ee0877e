// Copies are reads of the original, and copies of one's own are nobody's business.
public class Copies implements Cloneable {
    int value = 4;

    public static String run() {
        Copies copy = new Copies().copied(); // hook: cloning Copies
        int[] numbers = same(new int[] {1, 2});
        int[] clone = numbers.clone(); // hook: cloning int[]
        clone[0] = 7;
        int[] again = clone.clone();
        return copy.value + " " + again[0]; // hook: read Copies.value
        // result: 5 7
    }

    static int[] same(int[] array) {
        return array;
    }

    Copies copied() {
        try {
            Copies copy = (Copies) super.clone();
            copy.value = 5;
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }
}
