package residue.runner.testng;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Consecutive tests of an order that one TestNG test can run. Either no class is entered twice,
 * since TestNG runs class fixtures once in a test; or the order is TestNG's own, which may mix
 * classes, with some tests left out. The invocations of a method stand together in their own order.
 * No method comes before one that it declares to depend on: TestNG would swap them. In a test of its
 * own it runs without.
 */
final class Round {
    final Origin origin;
    private final Map<MethodKey, List<Target>> methods =
            new LinkedHashMap<MethodKey, List<Target>>();
    private final Set<String> classes = new HashSet<String>();
    private final Set<Integer> dependedUpon = new HashSet<Integer>();
    private Locator last;
    private boolean entersClassesOnce = true;
    private boolean isAscending = true;
    private boolean isWhole = true;

    private Round(Origin origin) {
        this.origin = origin;
    }

    static List<Round> split(List<Target> order) {
        List<Round> rounds = new ArrayList<Round>();
        Round current = null;
        for (Target target : order) {
            if (current == null || !current.canContinueWith(target)) {
                current = new Round(target.locator.origin);
                rounds.add(current);
            }
            current.add(target);
        }
        return rounds;
    }

    /** One round for each class, so that one that cannot be created does not stop the others. */
    List<Round> byClass() {
        Map<String, Round> rounds = new LinkedHashMap<String, Round>();
        for (Target target : targets()) {
            if (target.begun || target.ended) {
                continue;
            }
            Round round = rounds.get(target.locator.key.className);
            if (round == null) {
                round = new Round(origin);
                rounds.put(target.locator.key.className, round);
            }
            round.add(target);
        }
        return new ArrayList<Round>(rounds.values());
    }

    /** The methods in order, each with its invocations in order. */
    Map<MethodKey, List<Target>> methods() {
        return methods;
    }

    List<Target> targets() {
        List<Target> targets = new ArrayList<Target>();
        for (List<Target> invocations : methods.values()) {
            targets.addAll(invocations);
        }
        return targets;
    }

    /** Whether TestNG by itself runs these methods in this order: it does from the first on. */
    boolean isNatural() {
        return isWhole;
    }

    /** In the order in which the build selects them. */
    List<SelectedClass> selectedClasses() {
        Set<SelectedClass> selected = new LinkedHashSet<SelectedClass>();
        for (Target target : targets()) {
            selected.addAll(target.locator.selectedClasses);
        }
        List<SelectedClass> ordered = new ArrayList<SelectedClass>(selected);
        Collections.sort(ordered);
        return ordered;
    }

    private boolean canContinueWith(Target target) {
        Locator next = target.locator;
        if (!origin.equals(next.origin)) {
            return false;
        }
        if (next.key.equals(last.key)) {
            return last.invocation < next.invocation;
        }
        if (methods.containsKey(next.key) || dependedUpon.contains(next.place.number)) {
            return false;
        }
        return staysAscending(next) || entersClassesOnce && !entersAgain(next);
    }

    private boolean staysAscending(Locator next) {
        return isAscending && last.place.number <= next.place.number;
    }

    private boolean entersAgain(Locator next) {
        return !next.key.className.equals(last.key.className)
                && classes.contains(next.key.className);
    }

    private void add(Target target) {
        Locator next = target.locator;
        int expectedPlace = 0;
        if (last != null) {
            isAscending = staysAscending(next);
            entersClassesOnce &= !entersAgain(next);
            boolean sameMethod = next.key.equals(last.key);
            expectedPlace = sameMethod ? last.place.number : last.place.number + 1;
        }
        isWhole &= next.isSoleInstance && next.place.number == expectedPlace;
        last = next;
        classes.add(next.key.className);
        dependedUpon.addAll(next.place.after);
        List<Target> invocations = methods.get(next.key);
        if (invocations == null) {
            invocations = new ArrayList<Target>();
            methods.put(next.key, invocations);
        }
        invocations.add(target);
    }
}
