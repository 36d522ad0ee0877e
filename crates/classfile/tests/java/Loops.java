// A jump to an instruction with a hook runs the hook again.
public class Loops {
    static int count;
    Loops next;

    public static int run() {
        count = 0; // hook: staticWrite Loops.count
        // The condition is the target of the jump back and begins with the read.
        while (count < 2) { // hook: staticRead Loops.count
            count++; // hook: staticWrite Loops.count
            // hook: staticRead Loops.count
            // hook: staticWrite Loops.count
            // hook: staticRead Loops.count
        }
        Loops list = new Loops();
        list.next = new Loops(); // hook: writeRef Loops.next
        int length = 0;
        for (Loops at = list; at != null; at = at.next) {
            length++;
            // hook: read Loops.next
            // hook: read Loops.next
        }
        do {
            length += 10;
        } while (count-- > 1);
        // hook: staticRead Loops.count
        // hook: staticWrite Loops.count
        // hook: staticRead Loops.count
        // hook: staticWrite Loops.count
        return length;
        // result: 22
    }
}
