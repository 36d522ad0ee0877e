/** Strings, boxes, enum constants and classes are values: the field that holds them is what counts. */
final class Values {
    enum Color {
        RED,
        GREEN {
            @Override
            int number() {
                return 7;
            }
        };

        int number() {
            return 1;
        }
    }

    static String text = "a";
    static Integer box = 1;
    static Color color = Color.RED;
    static Class<?> type = String.class;
    static long wide = 1L << 40;
    static double fraction = 0.5;
    static char letter = 'x';
    static boolean flag;
    static Object any;

    // W Values.text: "a" -> "b"
    // W Values.box: 1 -> 2
    // W Values.color: Values$Color.RED -> Values$Color$1.GREEN
    // W Values.type: String.class -> Integer.class
    // W Values.wide: 1099511627776 -> -1
    // W Values.fraction: 0.5 -> 2.25
    // W Values.letter: 'x' -> 'y'
    // W Values.flag: false -> true
    // W Values.any: null -> Object
    static void t0() {
        text = "b";
        box = 2;
        color = Color.GREEN;
        type = Integer.class;
        wide = -1;
        fraction = 2.25;
        letter = 'y';
        flag = true;
        any = new Object();
    }

    // R Values.text
    // R Values.box
    // R Values.color
    static void t1() {
        Aliasing.require(text.length() == 1 && text.hashCode() != 0);
        Aliasing.require(box + 1 == 3);
        Aliasing.require(color.number() == 7 && color.name().equals("GREEN"));
    }

    // The same constant used by everyone makes nobody dependent.
    static void t2() {
        Aliasing.require(Color.RED.number() == 1 && Color.valueOf("RED") == Color.RED);
        Aliasing.require("b".concat("c").equals("bc") && Integer.valueOf(5) == 5);
    }
}
