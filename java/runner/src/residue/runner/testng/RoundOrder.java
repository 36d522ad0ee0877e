package residue.runner.testng;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.testng.IMethodInstance;
import org.testng.IMethodInterceptor;
import org.testng.ITestContext;
import org.testng.ITestNGMethod;

/**
 * Puts the methods of a TestNG test into the order of its round and narrows them to the wanted
 * invocations. TestNG 6.8 asks again for each batch of methods that are free to run.
 */
final class RoundOrder implements IMethodInterceptor {
    private final Map<String, Round> roundsByTest;
    private ITestContext lastContext;
    private ContextMethods methods;

    RoundOrder(Map<String, Round> roundsByTest) {
        this.roundsByTest = roundsByTest;
    }

    @Override
    public List<IMethodInstance> intercept(List<IMethodInstance> given, ITestContext context) {
        Round round = roundsByTest.get(context.getCurrentXmlTest().getName());
        if (round == null) {
            return given;
        }
        if (context != lastContext) {
            lastContext = context;
            methods = new ContextMethods(context);
        }
        Map<MethodKey, IMethodInstance> byKey = new HashMap<MethodKey, IMethodInstance>();
        for (IMethodInstance instance : given) {
            byKey.put(methods.key(instance.getMethod()), instance);
        }
        List<IMethodInstance> ordered = new ArrayList<IMethodInstance>(given.size());
        for (Map.Entry<MethodKey, List<Target>> wanted : round.methods().entrySet()) {
            IMethodInstance instance = byKey.get(wanted.getKey());
            if (instance == null) {
                continue;
            }
            ITestNGMethod method = instance.getMethod();
            if (!round.isNatural()) {
                // Since 7.0 the order given here is final; before, priorities have the last word.
                method.setPriority(ordered.size());
            }
            method.setThreadPoolSize(0);
            narrow(method, wanted.getValue());
            ordered.add(instance);
        }
        return ordered;
    }

    private static void narrow(ITestNGMethod method, List<Target> invocations) {
        Locator first = invocations.get(0).locator;
        if (invocations.size() == first.invocations) {
            return;
        }
        if (first.repeat == Locator.Repeat.COUNT) {
            method.setInvocationCount(invocations.size());
        } else if (first.repeat == Locator.Repeat.ROWS) {
            List<Integer> rows = new ArrayList<Integer>(invocations.size());
            for (Target target : invocations) {
                rows.add(target.locator.invocation);
            }
            method.setInvocationNumbers(rows);
        }
    }
}
