package residue.runner.platform;

import java.util.ArrayList;
import java.util.List;
import residue.runner.Adapter;
import residue.runner.Framework;
import residue.runner.Item;
import residue.runner.Listing;
import residue.runner.Progress;
import residue.runner.Setup;

/** The JUnit Platform, launcher 1.3 and up, with every engine of the suite but Vintage. */
public final class PlatformAdapter implements Adapter {
    private final SuiteEngines engines;
    private final Requests requests;

    /** To be used only where there is an engine other than Vintage. */
    public PlatformAdapter(Setup setup) {
        this.engines = new SuiteEngines(ClassLoader.getSystemClassLoader());
        this.requests = new Requests(setup);
    }

    @Override
    public Framework framework() {
        return Framework.PLATFORM;
    }

    @Override
    public void list(List<Class<?>> candidates, Listing listing) {
        try (Session session = new Session(engines, requests, engines.all().size())) {
            new Lister(session, listing).list(candidates);
        }
    }

    @Override
    public void run(List<Item> items, Progress progress) {
        List<Target> order = new ArrayList<Target>(items.size());
        for (Item item : items) {
            order.add(new Target(item, Locator.parse(item.locator)));
        }
        List<Batch> batches = Batch.split(order);
        int most = 1;
        for (Batch batch : batches) {
            most = Math.max(most, Math.min(batch.engineIds().size(), engines.all().size()));
        }
        try (Session session = new Session(engines, requests, most)) {
            for (Batch batch : batches) {
                run(session, batch, progress);
            }
        }
    }

    private static void run(Session session, Batch batch, Progress progress) {
        OutcomeListener listener = new OutcomeListener(batch.targets(), progress);
        Throwable failure = session.execute(batch, listener);
        if (failure == null) {
            failure = listener.engineFailure();
        }
        if (failure != null) {
            List<Batch> rest = batch.byClass();
            if (rest.size() == 1) {
                listener.fail(rest.get(0).targets(), failure);
            } else {
                for (Batch single : rest) {
                    run(session, single, progress);
                }
            }
        }
        listener.notRun();
    }
}
