package residue.runner.testng;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.testng.ITestNGListener;
import org.testng.TestNG;
import residue.runner.Adapter;
import residue.runner.BuildListeners;
import residue.runner.Framework;
import residue.runner.Item;
import residue.runner.Listing;
import residue.runner.Progress;
import residue.runner.Setup;
import residue.runner.SuiteFiles;

/** TestNG 6.8 and up. */
public final class TestNgAdapter implements Adapter, SuiteFiles {
    private final Suites suites;
    private final List<ITestNGListener> ofTheBuild;

    public TestNgAdapter(Setup setup) throws Exception {
        if (!setup.listeners.isEmpty()) {
            // Some ask for the TestNG at work when they are made.
            new TestNG(false);
        }
        this.ofTheBuild = BuildListeners.of(setup, ITestNGListener.class);
        this.suites = new Suites(GroupSelector.configure(setup));
    }

    @Override
    public Framework framework() {
        return Framework.TESTNG;
    }

    @Override
    public void list(List<Class<?>> candidates, Listing listing) {
        new Lister(suites, listing).listClasses(candidates);
    }

    @Override
    public void listSuites(List<String> files, Listing listing) {
        Lister lister = new Lister(suites, listing);
        for (String file : files) {
            lister.listFile(file);
        }
    }

    @Override
    public void run(List<Item> items, Progress progress) {
        List<Target> order = new ArrayList<Target>(items.size());
        for (Item item : items) {
            order.add(new Target(item, Locator.parse(item.locator)));
        }
        List<Round> sameSuite = new ArrayList<Round>();
        for (Round round : Round.split(order)) {
            if (!sameSuite.isEmpty() && !sameSuite.get(0).origin.sameSuite(round.origin)) {
                runSuite(sameSuite, progress);
                sameSuite.clear();
            }
            sameSuite.add(round);
        }
        if (!sameSuite.isEmpty()) {
            runSuite(sameSuite, progress);
        }
        for (Target target : order) {
            if (!target.ended) {
                progress.notRun(target.item);
            }
        }
    }

    /** One TestNG run, so that suite fixtures run once. */
    private void runSuite(List<Round> rounds, Progress progress) {
        Map<String, Round> roundsByTest = new LinkedHashMap<String, Round>();
        for (Round round : rounds) {
            String name = round.origin.test;
            // TestNG wants the tests of a suite to have different names.
            boolean taken = roundsByTest.containsKey(name);
            roundsByTest.put(taken ? name + " (" + roundsByTest.size() + ")" : name, round);
        }
        WantedSelector.configure(roundsByTest);
        boolean natural = rounds.size() == 1 && rounds.get(0).isNatural();
        List<ITestNGListener> listeners = new ArrayList<ITestNGListener>(ofTheBuild);
        listeners.add(new ResultListener(roundsByTest, progress));
        if (!natural) {
            listeners.add(new RoundOrder(roundsByTest));
        }
        try {
            QuietTestNg.run(suites.ofRounds(roundsByTest, natural), listeners);
        } catch (RuntimeException | LinkageError failure) {
            runRest(rounds, failure, progress);
        }
    }

    /** TestNG refuses a whole suite if it cannot create one class; the others shall run. */
    private void runRest(List<Round> rounds, Throwable failure, Progress progress) {
        List<Round> singles = new ArrayList<Round>();
        for (Round round : rounds) {
            singles.addAll(round.byClass());
        }
        if (singles.size() > 1) {
            for (Round single : singles) {
                List<Round> alone = new ArrayList<Round>();
                alone.add(single);
                runSuite(alone, progress);
            }
            return;
        }
        for (Round single : singles) {
            for (Target target : single.targets()) {
                target.ended = true;
                progress.begin(target.item);
                progress.threw(target.item, failure);
            }
        }
    }
}
