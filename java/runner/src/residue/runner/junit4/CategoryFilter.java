package residue.runner.junit4;

import java.lang.annotation.Inherited;
import org.junit.experimental.categories.Category;
import org.junit.runner.Description;
import org.junit.runner.manipulation.Filter;
import residue.runner.GroupExpression;
import residue.runner.Setup;

/** Selects tests by the categories of their method, class and superclasses. Since JUnit 4.8. */
public final class CategoryFilter extends Filter {
    private final GroupExpression included;
    private final GroupExpression excluded;
    /** Since 4.12 a class has the categories of its superclasses. */
    private final boolean inherited = Category.class.isAnnotationPresent(Inherited.class);

    private CategoryFilter(GroupExpression included, GroupExpression excluded) {
        this.included = included;
        this.excluded = excluded;
    }

    /** Null if the build selects no groups, or JUnit is too old to have categories. */
    public static CategoryFilter of(Setup setup) {
        GroupExpression included = GroupExpression.parse(setup.groups);
        GroupExpression excluded = GroupExpression.parse(setup.excludedGroups);
        boolean noGroups = included == null && excluded == null;
        return noGroups || !hasCategories() ? null : new CategoryFilter(included, excluded);
    }

    private static boolean hasCategories() {
        try {
            Class.forName("org.junit.experimental.categories.Category", false, ClassLoader.getSystemClassLoader());
            return true;
        } catch (ClassNotFoundException tooOld) {
            return false;
        }
    }

    @Override
    public boolean shouldRun(Description description) {
        if (matches(description)) {
            return true;
        }
        for (Description child : description.getChildren()) {
            if (shouldRun(child)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a class whose methods have no categories of their own is selected. */
    public boolean selectsClass(Class<?> testClass) {
        Categories categories = new Categories();
        addOfClass(testClass, categories);
        return selects(categories);
    }

    private boolean matches(Description description) {
        Categories categories = new Categories();
        categories.add(description.getAnnotation(Category.class));
        String owner = TestNames.classOf(description.getDisplayName());
        Class<?> testClass =
                Categories.loadOrNull(owner == null ? description.getDisplayName() : owner);
        if (testClass != null) {
            addOfClass(testClass, categories);
        }
        return selects(categories);
    }

    private boolean selects(Categories categories) {
        return (included == null || included.matches(categories))
                && (excluded == null || !excluded.matches(categories));
    }

    private void addOfClass(Class<?> testClass, Categories categories) {
        categories.add(testClass.getAnnotation(Category.class));
        if (inherited) {
            for (Class<?> type = testClass.getSuperclass(); type != null; type = type.getSuperclass()) {
                categories.add(type.getAnnotation(Category.class));
            }
        }
    }

    @Override
    public String describe() {
        return "the groups that the build selects";
    }
}
