// Switches keep their padding and their targets wherever they move.
public class Switches {
    static int seed = 1;

    public static String run() {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < 4; i++) {
            out.append(dense(i)).append(sparse(i * 1000)).append(word("k" + i)).append(' ');
        }
        return out.toString().trim();
        // hook: classInitialized
        // hook: staticRead Switches.seed
        // hook: staticRead Switches.seed
        // hook: staticRead Switches.seed
        // hook: staticRead Switches.seed
        // hook: staticRead Switches.seed
        // hook: staticRead Switches.seed
        // hook: staticRead Switches.seed
        // hook: staticRead Switches.seed
        // hook: staticRead Switches.seed
        // hook: staticRead Switches.seed
        // hook: staticRead Switches.seed
        // result: a1x bcy c0z dd?
    }

    static char dense(int number) {
        int offset = seed - 1;
        switch (number + offset) {
            case 0: return 'a';
            case 1: return 'b';
            case 2: return 'c';
            default: return (char) ('c' + seed);
        }
    }

    static char sparse(int number) {
        switch (number * seed) {
            case 0: return (char) ('0' + seed);
            case 1000: return 'c';
            case 2000: return '0';
            default: return 'd';
        }
    }

    static char word(String key) {
        switch (key) {
            case "k0": return (char) ('w' + seed);
            case "k1": return 'y';
            case "k2": return 'z';
            default: return '?';
        }
    }
}
