package residue.runner.junit4;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.experimental.categories.Category;
import residue.runner.GroupExpression;

/** The categories of one test; a name may be that of a category's supertype, or its end. */
final class Categories implements GroupExpression.Groups {
    private final Set<Class<?>> categories = new HashSet<Class<?>>();

    void add(Category categoryOrNull) {
        if (categoryOrNull != null) {
            categories.addAll(Arrays.asList(categoryOrNull.value()));
        }
    }

    @Override
    public boolean has(String token) {
        String name = token.endsWith(".class") ? token.substring(0, token.length() - 6) : token;
        Class<?> named = loadOrNull(name);
        for (Class<?> category : categories) {
            boolean subtype = named != null && named.isAssignableFrom(category);
            if (subtype || category.getName().endsWith(name)) {
                return true;
            }
        }
        return false;
    }

    static Class<?> loadOrNull(String name) {
        try {
            return Class.forName(name, false, ClassLoader.getSystemClassLoader());
        } catch (ClassNotFoundException notAClass) {
            return null;
        } catch (LinkageError broken) {
            return null;
        }
    }
}
