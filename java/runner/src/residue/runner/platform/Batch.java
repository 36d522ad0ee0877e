package residue.runner.platform;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Consecutive tests of an order that one launcher request can run in exactly their order: no
 * container is entered twice, and invocations of one container come in the order in which the
 * engine makes them.
 */
final class Batch {
    private final List<Target> targets = new ArrayList<Target>();
    private final Set<String> left = new HashSet<String>();

    /** Splits an order into as few batches as possible. */
    static List<Batch> split(List<Target> order) {
        List<Batch> batches = new ArrayList<Batch>();
        Batch current = new Batch();
        for (Target target : order) {
            if (!current.canContinueWith(target)) {
                batches.add(current);
                current = new Batch();
            }
            current.targets.add(target);
        }
        if (!current.targets.isEmpty()) {
            batches.add(current);
        }
        return batches;
    }

    List<Target> targets() {
        return targets;
    }

    private boolean canContinueWith(Target next) {
        if (targets.isEmpty()) {
            return true;
        }
        Target last = targets.get(targets.size() - 1);
        int common = 0;
        while (common < last.path.size()
                && common < next.path.size()
                && last.path.get(common).equals(next.path.get(common))) {
            common++;
        }
        for (int i = common; i < last.path.size(); i++) {
            left.add(last.path.get(i));
        }
        for (int i = common; i < next.path.size(); i++) {
            if (left.contains(next.path.get(i))) {
                return false;
            }
        }
        return common == last.path.size()
                || common == next.path.size()
                || engineCanGo(last, next, common);
    }

    /** Whether the engine makes {@code next} after {@code last}, which part ways at this depth. */
    private static boolean engineCanGo(Target last, Target next, int depth) {
        if (!last.locator.discovered.equals(next.locator.discovered)) {
            return true;
        }
        int from = UniqueIds.invocation(last.path.get(depth));
        int to = UniqueIds.invocation(next.path.get(depth));
        if (from >= 0 && to >= 0) {
            return from < to;
        }
        // Below an invocation of a class template Jupiter lets us arrange the methods.
        boolean arranged = UniqueIds.invocation(last.path.get(depth - 1)) >= 0;
        return arranged || last.locator.place < next.locator.place;
    }

    /** The engines in the order in which their tests come. */
    List<String> engineIds() {
        Set<String> ids = new LinkedHashSet<String>();
        for (Target target : targets) {
            ids.add(UniqueIds.engineId(target.path.get(0)));
        }
        return new ArrayList<String>(ids);
    }

    /** One batch for each selected class, so that one that cannot be discovered does not stop the others. */
    List<Batch> byClass() {
        Map<String, Batch> batches = new LinkedHashMap<String, Batch>();
        for (Target target : targets) {
            if (target.begun || target.ended) {
                continue;
            }
            Batch batch = batches.get(target.locator.selectedClass);
            if (batch == null) {
                batch = new Batch();
                batches.put(target.locator.selectedClass, batch);
            }
            batch.targets.add(target);
        }
        return new ArrayList<Batch>(batches.values());
    }
}
