// What runs when a method starts runs once, even if the method loops to its start.
public class Entered {
    static int rounds;

    public static int run() {
        return new Entered().loop(4L, "x", 2);
        // hook: entered 4 x
        // hook: staticRead Entered.rounds
        // hook: staticWrite Entered.rounds
        // hook: staticRead Entered.rounds
        // hook: staticWrite Entered.rounds
        // hook: staticRead Entered.rounds
        // hook: staticWrite Entered.rounds
        // The condition has read it last.
        // result: 3
    }

    int loop(long first, String second, int limit) {
        do {
            rounds++;
        } while (rounds <= limit);
        return rounds;
    }
}
