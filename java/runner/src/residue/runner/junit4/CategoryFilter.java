package residue.runner.junit4;

import java.lang.annotation.Inherited;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.experimental.categories.Category;
import org.junit.runner.Description;
import org.junit.runner.manipulation.Filter;
import residue.runner.Setup;

/** Selects tests by the categories of their method, class and superclasses. Since JUnit 4.8. */
public final class CategoryFilter extends Filter {
    private final CategoryExpression expression;
    /** Since 4.12 a class has the categories of its superclasses. */
    private final boolean inherited = Category.class.isAnnotationPresent(Inherited.class);

    private CategoryFilter(CategoryExpression expression) {
        this.expression = expression;
    }

    /** Null if the build selects no groups, or JUnit is too old to have categories. */
    public static CategoryFilter of(Setup setup) {
        boolean noGroups = setup.groups == null && setup.excludedGroups == null;
        if (noGroups || !hasCategories()) {
            return null;
        }
        CategoryExpression included =
                setup.groups == null ? null : CategoryExpression.parse(setup.groups);
        if (setup.excludedGroups == null) {
            return new CategoryFilter(included);
        }
        CategoryExpression others =
                CategoryExpression.not(CategoryExpression.parse(setup.excludedGroups));
        return new CategoryFilter(
                included == null ? others : CategoryExpression.and(included, others));
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
        Set<Class<?>> categories = new HashSet<Class<?>>();
        addOfClass(testClass, categories);
        return expression.matches(categories);
    }

    private boolean matches(Description description) {
        Set<Class<?>> categories = new HashSet<Class<?>>();
        add(description.getAnnotation(Category.class), categories);
        String owner = TestNames.classOf(description.getDisplayName());
        Class<?> testClass = loadOrNull(owner == null ? description.getDisplayName() : owner);
        if (testClass != null) {
            addOfClass(testClass, categories);
        }
        return expression.matches(categories);
    }

    private void addOfClass(Class<?> testClass, Set<Class<?>> categories) {
        add(testClass.getAnnotation(Category.class), categories);
        if (inherited) {
            for (Class<?> type = testClass.getSuperclass(); type != null; type = type.getSuperclass()) {
                add(type.getAnnotation(Category.class), categories);
            }
        }
    }

    private static void add(Category category, Set<Class<?>> categories) {
        if (category != null) {
            categories.addAll(Arrays.asList(category.value()));
        }
    }

    private static Class<?> loadOrNull(String name) {
        try {
            return Class.forName(name, false, ClassLoader.getSystemClassLoader());
        } catch (ClassNotFoundException notAClass) {
            return null;
        } catch (LinkageError broken) {
            return null;
        }
    }

    @Override
    public String describe() {
        return "the groups that the build selects";
    }
}
