package residue.runner;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.Map;
import residue.runner.wire.Command;
import residue.runner.wire.CommandReader;
import residue.runner.wire.EventWriter;
import residue.runner.wire.ExitCodes;

/**
 * Entry point of the JVM under test. Arguments: the pipe from which commands come, and the pipe to
 * which events go. Both are open before any class of the suite is touched, and nothing here depends
 * on what tests may change: streams, properties, locale, class loaders.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws IOException {
        ConnectLimit limit = new ConnectLimit();
        limit.start();
        EventWriter events = new EventWriter(new FileOutputStream(args[1]));
        FileInputStream orders = new FileInputStream(args[0]);
        limit.met();
        HostWatch watch = new HostWatch(orders);
        ExitReport exitReport = new ExitReport(events, watch);
        int exitCode = ExitCodes.DONE;
        String activity = "starting";
        try {
            events.hello(System.getProperty("java.version"), System.getProperty("java.vm.name"));
            CommandReader commands = new CommandReader(orders);
            Setup setup = hostMustBeThere(commands.readSetup());
            activity = "preparing the test frameworks";
            apply(setup);
            ClassLoader loader = ClassLoader.getSystemClassLoader();
            Adapters adapters = new Adapters(setup, loader);
            OutputMarks marks = new OutputMarks(setup.outputMark);
            LeftThreads threads = new LeftThreads();
            Runtime.getRuntime().addShutdownHook(exitReport);
            events.ready();
            Command command = hostMustBeThere(commands.readCommand());
            watch.start();
            if (command.order != null) {
                activity = "running tests";
                OrderProgress progress =
                        new OrderProgress(command.order.size(), events, marks, threads);
                StandInPlayer standIns = new StandInPlayer(command.standIns, loader, events);
                PutBack putBack = new PutBack(command.putBack, loader, events);
                new OrderRun(adapters, progress, standIns, putBack).run(command.order);
            } else {
                activity = "listing tests";
                list(command, new DefaultOrder(adapters, events), loader);
            }
            exitReport.expectExit();
            events.done();
        } catch (Throwable thrown) {
            exitReport.expectExit();
            events.runnerFailed(activity, thrown);
            exitCode = ExitCodes.RUNNER_FAILED;
        }
        exit(exitCode);
    }

    private static void apply(Setup setup) {
        System.setProperty("java.class.path", setup.classPath);
        for (Map.Entry<String, String> property : setup.systemProperties.entrySet()) {
            System.setProperty(property.getKey(), property.getValue());
        }
    }

    private static void list(Command command, DefaultOrder defaultOrder, ClassLoader loader) {
        if (command.suiteFiles.isEmpty()) {
            defaultOrder.listClasses(command.classesToList, loader);
        } else {
            defaultOrder.listSuiteFiles(command.suiteFiles);
        }
    }

    private static <T> T hostMustBeThere(T commandOrNull) {
        if (commandOrNull == null) {
            Runtime.getRuntime().halt(ExitCodes.HOST_GONE);
        }
        return commandOrNull;
    }

    /** Runs the shutdown hooks of the suite, as the build does. */
    private static void exit(int code) {
        try {
            System.exit(code);
        } catch (SecurityException forbiddenByATest) {
            System.setSecurityManager(null);
            System.exit(code);
        }
    }
}
