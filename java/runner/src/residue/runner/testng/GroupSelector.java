package residue.runner.testng;

import java.util.List;
import org.testng.IMethodSelector;
import org.testng.IMethodSelectorContext;
import org.testng.ITestNGMethod;
import residue.runner.GroupExpression;
import residue.runner.Setup;

/**
 * Selects methods, fixtures too, by the groups that the build names, as Surefire's own selector
 * does. TestNG creates selectors by class name, so what they select by is static.
 */
public final class GroupSelector implements IMethodSelector {
    private static final long serialVersionUID = 1L;

    private static volatile GroupExpression included;
    private static volatile GroupExpression excluded;

    /** Returns whether there is anything to select by. */
    static boolean configure(Setup setup) {
        included = GroupExpression.parse(setup.groups);
        excluded = GroupExpression.parse(setup.excludedGroups);
        return included != null || excluded != null;
    }

    @Override
    public boolean includeMethod(
            IMethodSelectorContext context, ITestNGMethod method, boolean isTestMethod) {
        GroupExpression.Groups groups = new MethodGroups(method.getGroups());
        return (included == null || included.matches(groups))
                && (excluded == null || !excluded.matches(groups));
    }

    @Override
    public void setTestMethods(List<ITestNGMethod> testMethods) {}
}
