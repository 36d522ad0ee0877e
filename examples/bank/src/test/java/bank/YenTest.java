package bank;

import static org.junit.Assert.assertEquals;

import java.math.BigDecimal;
import org.junit.Test;

public class YenTest {
    @Test
    public void yenHaveNoDigits() { // polluter: never sets the digits back
        Currency.useDigits(0);
        assertEquals("3", Currency.format(new BigDecimal("3.20")));
    }
}
