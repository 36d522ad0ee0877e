package residue.runner.testng;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.testng.IMethodSelector;
import org.testng.IMethodSelectorContext;
import org.testng.ITestNGMethod;

/**
 * Keeps test methods that nobody asked for out of a TestNG test, before TestNG looks at
 * dependencies: a test whose dependency is not asked for runs without it. Leaves fixtures to the
 * other selectors. TestNG creates selectors by class name, so what they select by is static.
 */
public final class WantedSelector implements IMethodSelector {
    private static final long serialVersionUID = 1L;

    private static volatile Map<String, Set<MethodKey>> wantedByTest = Collections.emptyMap();

    static void configure(Map<String, Round> roundsByTest) {
        Map<String, Set<MethodKey>> wanted = new HashMap<String, Set<MethodKey>>();
        for (Map.Entry<String, Round> round : roundsByTest.entrySet()) {
            Set<MethodKey> methods = new HashSet<MethodKey>();
            for (MethodKey key : round.getValue().methods().keySet()) {
                methods.add(key.withInstance(0));
            }
            wanted.put(round.getKey(), methods);
        }
        wantedByTest = wanted;
    }

    @Override
    public boolean includeMethod(
            IMethodSelectorContext context, ITestNGMethod method, boolean isTestMethod) {
        if (!isTestMethod) {
            return true;
        }
        method.setIgnoreMissingDependencies(true);
        Set<MethodKey> wanted = wantedByTest.get(method.getXmlTest().getName());
        boolean included = wanted != null && wanted.contains(MethodKey.of(method, 0));
        // Only a refusal is final; the selectors of the suite decide on the rest.
        context.setStopped(!included);
        return included;
    }

    @Override
    public void setTestMethods(List<ITestNGMethod> testMethods) {}
}
