package residue.runner.testng;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.testng.IMethodInstance;
import org.testng.IMethodInterceptor;
import org.testng.ITestContext;

/**
 * Puts the methods of a TestNG test into the order of its round. TestNG 6.8 asks again for each batch
 * of methods that are free to run.
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
        for (MethodKey wanted : round.methods().keySet()) {
            IMethodInstance instance = byKey.get(wanted);
            if (instance == null) {
                continue;
            }
            // Since 7.0 the order given here is final; before, priorities have the last word.
            instance.getMethod().setPriority(ordered.size());
            ordered.add(instance);
        }
        return ordered;
    }
}
