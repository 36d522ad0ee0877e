package residue.runner.platform;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.platform.engine.discovery.ClassSelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import residue.runner.Listing;
import residue.runner.TestIds;

/**
 * Lists what the engines discover. Containers that make their tests only when they run
 * (parameterised, repeated and dynamic tests) are run once, all in one request, to learn which tests
 * they make.
 */
final class Lister {
    private final Session session;
    private final Listing listing;
    private final TestIds ids = new TestIds();

    Lister(Session session, Listing listing) {
        this.session = session;
        this.listing = listing;
    }

    void list(List<Class<?>> candidates) {
        TestPlan plan = discover(candidates);
        if (plan == null) {
            return;
        }
        Names names = new Names(plan);
        List<TestIdentifier> found = new ArrayList<TestIdentifier>();
        Map<String, Target> makers = new LinkedHashMap<String, Target>();
        for (TestIdentifier engine : plan.getRoots()) {
            for (TestIdentifier child : plan.getChildren(engine)) {
                collect(plan, child, names, found, makers);
            }
        }
        MadeTests made = run(makers, names);
        for (TestIdentifier node : found) {
            Target maker = makers.get(node.getUniqueId());
            if (maker == null) {
                Locator locator = Locator.discovered(names.selectedClass(node), node.getUniqueId());
                list(names.name(node), locator);
            } else {
                listMade(names, node, maker.locator, made);
            }
        }
    }

    /** A container without children that the launcher has not pruned makes tests when it runs. */
    private void collect(
            TestPlan plan,
            TestIdentifier node,
            Names names,
            List<TestIdentifier> found,
            Map<String, Target> makers) {
        if (!plan.getChildren(node).isEmpty()) {
            names.learnOverloads(node);
            for (TestIdentifier child : plan.getChildren(node)) {
                collect(plan, child, names, found, makers);
            }
            return;
        }
        found.add(node);
        if (node.isContainer()) {
            String uniqueId = node.getUniqueId();
            Locator locator = Locator.discovered(names.selectedClass(node), uniqueId);
            makers.put(uniqueId, new Target(null, locator));
        }
    }

    private MadeTests run(Map<String, Target> makers, Names names) {
        MadeTests made = new MadeTests(names);
        for (Batch batch : Batch.split(new ArrayList<Target>(makers.values()))) {
            made.run(session, batch);
        }
        return made;
    }

    private void listMade(Names names, TestIdentifier maker, Locator locator, MadeTests made) {
        List<MadeTests.Made> tests = made.by(maker.getUniqueId());
        if (tests.isEmpty()) {
            // A maker that is content with making nothing is no test, and no build reports it.
            if (maker.isTest() || !made.succeeded(maker.getUniqueId())) {
                list(names.name(maker), locator);
            }
            return;
        }
        for (int place = 0; place < tests.size(); place++) {
            MadeTests.Made test = tests.get(place);
            Locator own =
                    Locator.registered(
                            locator.selectedClass,
                            test.uniqueId,
                            maker.getUniqueId(),
                            place,
                            tests.size());
            list(test.name, own);
        }
    }

    private void list(String id, Locator locator) {
        listing.test(ids.unique(id), locator.toString());
    }

    /** Discovers all classes at once; if that fails, finds the classes at fault and goes on without. */
    private TestPlan discover(List<Class<?>> candidates) {
        try {
            return candidates.isEmpty() ? null : session.discover(selectors(candidates));
        } catch (RuntimeException | LinkageError someClassFails) {
            List<Class<?>> sound = new ArrayList<Class<?>>();
            Map<Class<?>, Throwable> faults = new HashMap<Class<?>, Throwable>();
            for (Class<?> candidate : candidates) {
                Throwable fault = fault(candidate);
                if (fault == null) {
                    sound.add(candidate);
                } else {
                    faults.put(candidate, fault);
                    listing.unlistable(candidate.getName(), fault);
                }
            }
            if (faults.isEmpty()) {
                throw someClassFails;
            }
            return sound.isEmpty() ? null : session.discover(selectors(sound));
        }
    }

    private Throwable fault(Class<?> candidate) {
        List<Class<?>> alone = new ArrayList<Class<?>>();
        alone.add(candidate);
        try {
            session.discover(selectors(alone));
            return null;
        } catch (RuntimeException | LinkageError fault) {
            return fault;
        }
    }

    private static List<ClassSelector> selectors(List<Class<?>> candidates) {
        List<ClassSelector> selectors = new ArrayList<ClassSelector>(candidates.size());
        for (Class<?> candidate : candidates) {
            selectors.add(DiscoverySelectors.selectClass(candidate));
        }
        return selectors;
    }
}
