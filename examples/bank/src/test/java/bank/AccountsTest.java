package bank;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** One story told by several tests: the later ones stand on the earlier. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AccountsTest {
    @Test
    @Order(1)
    void aNewBankHasNoAccounts() { // victim: fails once anybody opened an account
        assertEquals(0, Ledger.accounts());
    }

    @Test
    @Order(2)
    void opensAnAccount() {
        Ledger.open("ada");
        assertEquals(BigDecimal.ZERO, Ledger.balance("ada"));
    }

    @Test
    @Order(3)
    void depositsMoney() { // brittle: needs opensAnAccount
        Ledger.deposit("ada", new BigDecimal("12.50"));
        assertEquals(new BigDecimal("12.50"), Ledger.balance("ada"));
    }
}
