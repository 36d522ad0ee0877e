package bank;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CurrencyTest {
    @ParameterizedTest
    @CsvSource({"1, 1.00", "2.005, 2.00", "2.015, 2.02"})
    void formatsWithTwoDigits(BigDecimal amount, String expected) { // victim of YenTest
        assertEquals(expected, Currency.format(amount));
    }

    @RepeatedTest(2)
    void roundsHalfToEven() {
        assertEquals("0.12", Currency.format(new BigDecimal("0.125")).substring(0, 4));
    }
}
