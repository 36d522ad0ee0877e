package residue.runner.testng;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.testng.ITestNGMethod;
import residue.runner.Listing;
import residue.runner.TestIds;

/**
 * Lists the tests of a dry run. Data providers that gave nothing there may need the fixtures that a
 * dry run leaves out, so their methods are then run in earnest once.
 */
final class Lister {
    private final Suites suites;
    private final Listing listing;
    private final TestIds ids = new TestIds();

    Lister(Suites suites, Listing listing) {
        this.suites = suites;
        this.listing = listing;
    }

    void listClasses(List<Class<?>> candidates) {
        List<Class<?>> sound = candidates;
        DryRun run = new DryRun("");
        try {
            dryRun(run, sound);
        } catch (RuntimeException | LinkageError someClassFails) {
            sound = withoutFaulty(candidates);
            if (sound.size() == candidates.size()) {
                throw someClassFails;
            }
            run = new DryRun("");
            dryRun(run, sound);
        }
        list(run, selectionOf(sound));
    }

    void listFile(String file) {
        DryRun run = new DryRun(file);
        run.perform(suites.ofFile(file));
        list(run, Collections.<String, Boolean>emptyMap());
    }

    private void dryRun(DryRun run, List<Class<?>> classes) {
        if (!classes.isEmpty()) {
            run.perform(suites.ofClasses(classes));
        }
    }

    private List<Class<?>> withoutFaulty(List<Class<?>> candidates) {
        List<Class<?>> sound = new ArrayList<Class<?>>();
        for (Class<?> candidate : candidates) {
            try {
                dryRun(new DryRun(""), Collections.<Class<?>>singletonList(candidate));
                sound.add(candidate);
            } catch (RuntimeException | LinkageError fault) {
                listing.unlistable(candidate.getName(), fault);
            }
        }
        return sound;
    }

    /** Selected classes -> whether they have a factory. */
    private static Map<String, Boolean> selectionOf(List<Class<?>> candidates) {
        Map<String, Boolean> selection = new LinkedHashMap<String, Boolean>();
        for (Class<?> candidate : candidates) {
            boolean factory;
            try {
                factory = Suites.hasFactory(candidate);
            } catch (LinkageError unreadable) {
                factory = false;
            }
            selection.put(candidate.getName(), factory);
        }
        return selection;
    }

    private void list(DryRun run, Map<String, Boolean> selection) {
        for (DryRun.Seen seen : run.seen()) {
            Map<MethodKey, Integer> learned = learn(seen, selection);
            Map<MethodKey, Integer> invocations = new LinkedHashMap<MethodKey, Integer>(seen.starts);
            for (Map.Entry<MethodKey, Integer> method : learned.entrySet()) {
                // A method that even then has no rows is no test unless TestNG reported it.
                if (method.getValue() > 0 || seen.starts.containsKey(method.getKey())) {
                    invocations.put(method.getKey(), method.getValue());
                }
            }
            Map<MethodKey, Integer> places = new LinkedHashMap<MethodKey, Integer>();
            for (MethodKey key : invocations.keySet()) {
                places.put(key, places.size());
            }
            Dependencies dependencies = new Dependencies(seen.methods.all(), places);
            for (Map.Entry<MethodKey, Integer> method : invocations.entrySet()) {
                MethodKey key = method.getKey();
                Place place = new Place(places.get(key), dependencies.of(key));
                list(seen, place, key, method.getValue(), selection);
            }
        }
    }

    private void list(
            DryRun.Seen seen,
            Place place,
            MethodKey key,
            int invocations,
            Map<String, Boolean> selection) {
        ITestNGMethod method = seen.methods.all().get(key);
        Locator.Repeat repeat =
                invocations == 0 ? Locator.Repeat.NONE : DryRun.repeat(method, invocations);
        int count = repeat == Locator.Repeat.NONE ? 1 : invocations;
        List<SelectedClass> selected = selected(seen, key, selection);
        boolean isSole = seen.methods.instanceCount(key.className) == 1;
        String name = seen.methods.name(key);
        for (int i = 0; i < count; i++) {
            String id = repeat == Locator.Repeat.NONE ? name : name + TestIds.index(i);
            Locator locator =
                    new Locator(seen.origin, selected, place, key, isSole, repeat, i, count);
            listing.test(ids.unique(id), locator.toString());
        }
    }

    /** The invocations of methods whose data provider gave nothing without fixtures. */
    private Map<MethodKey, Integer> learn(DryRun.Seen seen, Map<String, Boolean> selection) {
        List<Target> unknown = new ArrayList<Target>();
        for (Map.Entry<MethodKey, ITestNGMethod> method : seen.methods.all().entrySet()) {
            Integer starts = seen.starts.get(method.getKey());
            if ((starts == null || starts == 0) && DryRun.hasDataProvider(method.getValue())) {
                List<SelectedClass> selected = selected(seen, method.getKey(), selection);
                Locator locator =
                        new Locator(
                                seen.origin,
                                selected,
                                new Place(0, Collections.<Integer>emptyList()),
                                method.getKey(),
                                false,
                                Locator.Repeat.NONE,
                                0,
                                1);
                unknown.add(new Target(null, locator));
            }
        }
        Map<MethodKey, Integer> learned = new LinkedHashMap<MethodKey, Integer>();
        for (Round round : Round.split(unknown)) {
            DryRun counter = new DryRun(seen.origin.file);
            Map<String, Round> rounds = Collections.singletonMap(seen.origin.test, round);
            WantedSelector.configure(rounds);
            QuietTestNg.run(suites.ofRounds(rounds, true), Collections.singletonList(counter));
            for (DryRun.Seen real : counter.seen()) {
                learned.putAll(real.starts);
            }
        }
        return learned;
    }

    /**
     * A class that is selected and has one instance comes from its own selection. Others come from
     * factories, and TestNG does not tell from which.
     */
    private static List<SelectedClass> selected(
            DryRun.Seen seen, MethodKey key, Map<String, Boolean> selection) {
        Boolean hasFactory = selection.get(key.className);
        boolean byItself =
                hasFactory != null
                        && (hasFactory || seen.methods.instanceCount(key.className) == 1);
        List<SelectedClass> selected = new ArrayList<SelectedClass>();
        int place = 0;
        for (Map.Entry<String, Boolean> candidate : selection.entrySet()) {
            boolean own = candidate.getKey().equals(key.className);
            if (own || !byItself && candidate.getValue()) {
                selected.add(new SelectedClass(place, candidate.getKey()));
            }
            place++;
        }
        return selected;
    }
}
