package residue.runner.platform;

import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import residue.runner.Setup;

/** Builds launcher requests with the parameters of the build. */
final class Requests {
    /** Parallel tests have no order. Parameters that an engine does not know do no harm. */
    private static final String[] PARALLEL_SWITCHES = {
        "junit.jupiter.execution.parallel.enabled",
        "junit.vintage.execution.parallel.enabled",
        "cucumber.execution.parallel.enabled",
    };

    private final Setup setup;

    Requests(Setup setup) {
        this.setup = setup;
    }

    /** For listing: with the filters of the build. */
    LauncherDiscoveryRequest filtered(List<? extends DiscoverySelector> selectors) {
        LauncherDiscoveryRequestBuilder builder = builder(selectors);
        for (PostDiscoveryFilter filter : tagFilters()) {
            builder.filters(filter);
        }
        return builder.build();
    }

    /** For tests that were listed, and so have passed the filters. */
    LauncherDiscoveryRequest exact(List<? extends DiscoverySelector> selectors) {
        return builder(selectors).build();
    }

    private LauncherDiscoveryRequestBuilder builder(List<? extends DiscoverySelector> selectors) {
        LauncherDiscoveryRequestBuilder builder = LauncherDiscoveryRequestBuilder.request();
        builder.selectors(selectors).configurationParameters(setup.platformParameters);
        for (String parallel : PARALLEL_SWITCHES) {
            builder.configurationParameter(parallel, "false");
        }
        return builder;
    }

    private List<PostDiscoveryFilter> tagFilters() {
        List<PostDiscoveryFilter> filters = new ArrayList<PostDiscoveryFilter>();
        List<String> included = expressions(setup.groups);
        if (!included.isEmpty()) {
            filters.add(TagFilter.includeTags(included));
        }
        List<String> excluded = expressions(setup.excludedGroups);
        if (!excluded.isEmpty()) {
            filters.add(TagFilter.excludeTags(excluded));
        }
        return filters;
    }

    /** Surefire separates tag expressions by commas; a test matches if any of them does. */
    private static List<String> expressions(String groupsOrNull) {
        List<String> expressions = new ArrayList<String>();
        if (groupsOrNull != null) {
            for (String expression : groupsOrNull.split(",")) {
                if (!expression.trim().isEmpty()) {
                    expressions.add(expression.trim());
                }
            }
        }
        return expressions;
    }
}
