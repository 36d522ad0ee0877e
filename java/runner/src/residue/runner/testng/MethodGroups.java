package residue.runner.testng;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import residue.runner.GroupExpression;

/** The groups of one method; a name may be a regular expression. */
final class MethodGroups implements GroupExpression.Groups {
    private final String[] groups;

    MethodGroups(String[] groups) {
        this.groups = groups;
    }

    @Override
    public boolean has(String name) {
        for (String group : groups) {
            if (group.equals(name) || matches(name, group)) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(String pattern, String group) {
        try {
            return Pattern.matches(pattern, group);
        } catch (PatternSyntaxException plainName) {
            return false;
        }
    }
}
