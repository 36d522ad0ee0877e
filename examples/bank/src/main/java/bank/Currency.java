package bank;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Formats amounts; the precision is a setting of the whole program. */
public final class Currency {
    private static int digits = 2;

    private Currency() {}

    public static void useDigits(int newDigits) {
        digits = newDigits;
    }

    public static String format(BigDecimal amount) {
        return amount.setScale(digits, RoundingMode.HALF_EVEN).toPlainString();
    }
}
