package bank;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;

/** All accounts of the bank, in memory. */
public final class Ledger {
    private static final Map<String, BigDecimal> ACCOUNTS = new HashMap<>();

    private Ledger() {}

    public static void open(String owner) {
        if (ACCOUNTS.putIfAbsent(owner, BigDecimal.ZERO) != null) {
            throw new IllegalStateException(owner + " has an account already");
        }
    }

    public static void deposit(String owner, BigDecimal amount) {
        if (ACCOUNTS.computeIfPresent(owner, (name, balance) -> balance.add(amount)) == null) {
            throw new IllegalStateException(owner + " has no account");
        }
    }

    public static BigDecimal balance(String owner) {
        return ACCOUNTS.getOrDefault(owner, BigDecimal.ZERO);
    }

    public static int accounts() {
        return ACCOUNTS.size();
    }

    public static void clear() {
        ACCOUNTS.clear();
    }
}
