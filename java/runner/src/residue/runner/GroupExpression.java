package residue.runner;

/**
 * Which groups a test must have, in Surefire's syntax: names joined by {@code &&} or {@code and},
 * {@code ||} or {@code or} or a comma, negated by {@code !} or {@code NOT}, with parentheses. As
 * there, operators have no precedence and group to the right. What a name stands for is up to the
 * framework.
 */
public final class GroupExpression {
    /** What a test is in. */
    public interface Groups {
        boolean has(String name);
    }

    private enum Kind {
        NAME,
        NOT,
        AND,
        OR
    }

    private final Kind kind;
    private final String name;
    private final GroupExpression left;
    private final GroupExpression right;

    private GroupExpression(Kind kind, String name, GroupExpression left, GroupExpression right) {
        this.kind = kind;
        this.name = name;
        this.left = left;
        this.right = right;
    }

    /** Null if there is nothing to select by. */
    public static GroupExpression parse(String textOrNull) {
        if (textOrNull == null || textOrNull.trim().isEmpty()) {
            return null;
        }
        Parser parser = new Parser(textOrNull);
        GroupExpression expression = parser.expression();
        parser.expectEnd();
        return expression;
    }

    public boolean matches(Groups groups) {
        switch (kind) {
            case NOT:
                return !left.matches(groups);
            case AND:
                return left.matches(groups) && right.matches(groups);
            case OR:
                return left.matches(groups) || right.matches(groups);
            default:
                return groups.has(name);
        }
    }

    private static final class Parser {
        private final String text;
        private int position;

        Parser(String text) {
            this.text = text;
        }

        GroupExpression expression() {
            GroupExpression left = operand();
            if (accept("&&") || accept("&") || acceptWord("and")) {
                return new GroupExpression(Kind.AND, null, left, expression());
            }
            if (accept("||") || accept("|") || accept(",") || acceptWord("or")) {
                return new GroupExpression(Kind.OR, null, left, expression());
            }
            return left;
        }

        private GroupExpression operand() {
            if (accept("!") || acceptWord("not")) {
                return new GroupExpression(Kind.NOT, null, operand(), null);
            }
            if (accept("(")) {
                GroupExpression inner = expression();
                if (!accept(")")) {
                    throw malformed("a closing parenthesis");
                }
                return inner;
            }
            int end = wordEnd();
            if (end == position) {
                throw malformed("a group");
            }
            String word = text.substring(position, end);
            position = end;
            return new GroupExpression(Kind.NAME, word, null, null);
        }

        void expectEnd() {
            skipBlanks();
            if (position < text.length()) {
                throw malformed("an operator");
            }
        }

        private boolean accept(String token) {
            skipBlanks();
            boolean found = text.startsWith(token, position);
            position += found ? token.length() : 0;
            return found;
        }

        private boolean acceptWord(String word) {
            skipBlanks();
            int end = wordEnd();
            boolean found = text.substring(position, end).equalsIgnoreCase(word);
            position = found ? end : position;
            return found;
        }

        private int wordEnd() {
            int end = position;
            while (end < text.length() && " \t\r\n&|,!()".indexOf(text.charAt(end)) < 0) {
                end++;
            }
            return end;
        }

        private void skipBlanks() {
            while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
                position++;
            }
        }

        private IllegalArgumentException malformed(String expected) {
            return new IllegalArgumentException(
                    "the build's groups `" + text + "` lack " + expected + " at position " + position);
        }
    }
}
