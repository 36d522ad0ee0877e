import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What tests leave in a static: equal things first, then others. */
final class Contents {
    static Object left;

    enum Color {
        RED,
        GREEN
    }

    static class Holder {
        final int number;
        final Object lock = new Object();
        String text;
        double amount = 1.5;
        Color color;
        LocalDate day;
        BigDecimal price = new BigDecimal("1.50");
        Object nothing;
        int[] bytes = new int[200];
        List<Object> items = new ArrayList<>();
        Map<String, Object> table = new HashMap<>();

        Holder(int number, String text, Color color, int day) {
            this.number = number;
            this.text = text;
            this.color = color;
            this.day = LocalDate.of(2024, 1, day);
            bytes[150] = number;
            items.add(text + text);
            items.add(this);
            table.put(text, color);
        }
    }

    static String text() {
        return new StringBuilder("te").append("xt").toString().repeat(30);
    }

    static void t0() {
        left = new Holder(1, text(), Color.RED, 1);
    }

    static void t1() {
        left = new Holder(1, text(), Color.RED, 1);
    }

    static void t2() {
        left = new Holder(2, text(), Color.RED, 1);
    }

    static void t3() {
        left = new Holder(1, "other", Color.GREEN, 2);
    }

    static void t4() {
        Runnable lambda = () -> left = null;
        left = new Object[] {lambda, new Object(), 7L};
    }
}
