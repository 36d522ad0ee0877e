package residue.runner.junit4;

import java.util.Set;

/**
 * Which categories a test must have, in Surefire's syntax: class names joined by {@code &&} or
 * {@code and}, {@code ||} or {@code or} or a comma, negated by {@code !} or {@code NOT}, with
 * parentheses. As there, operators have no precedence and group to the right.
 */
abstract class CategoryExpression {
    abstract boolean matches(Set<Class<?>> categories);

    static CategoryExpression parse(String text) {
        Parser parser = new Parser(text);
        CategoryExpression expression = parser.expression();
        parser.expectEnd();
        return expression;
    }

    private static CategoryExpression named(String token) {
        final String name =
                token.endsWith(".class") ? token.substring(0, token.length() - 6) : token;
        final Class<?> category = loadOrNull(name);
        return new CategoryExpression() {
            @Override
            boolean matches(Set<Class<?>> categories) {
                for (Class<?> each : categories) {
                    boolean subtype = category != null && category.isAssignableFrom(each);
                    if (subtype || each.getName().endsWith(name)) {
                        return true;
                    }
                }
                return false;
            }
        };
    }

    private static Class<?> loadOrNull(String name) {
        try {
            return Class.forName(name, false, ClassLoader.getSystemClassLoader());
        } catch (ClassNotFoundException absent) {
            return null;
        } catch (LinkageError broken) {
            return null;
        }
    }

    static CategoryExpression not(final CategoryExpression operand) {
        return new CategoryExpression() {
            @Override
            boolean matches(Set<Class<?>> categories) {
                return !operand.matches(categories);
            }
        };
    }

    static CategoryExpression and(final CategoryExpression left, final CategoryExpression right) {
        return new CategoryExpression() {
            @Override
            boolean matches(Set<Class<?>> categories) {
                return left.matches(categories) && right.matches(categories);
            }
        };
    }

    private static CategoryExpression or(
            final CategoryExpression left, final CategoryExpression right) {
        return new CategoryExpression() {
            @Override
            boolean matches(Set<Class<?>> categories) {
                return left.matches(categories) || right.matches(categories);
            }
        };
    }

    private static final class Parser {
        private final String text;
        private int position;

        Parser(String text) {
            this.text = text;
        }

        CategoryExpression expression() {
            CategoryExpression left = operand();
            if (accept("&&") || accept("&") || acceptWord("and")) {
                return and(left, expression());
            }
            if (accept("||") || accept("|") || accept(",") || acceptWord("or")) {
                return or(left, expression());
            }
            return left;
        }

        private CategoryExpression operand() {
            if (accept("!") || acceptWord("not")) {
                return not(operand());
            }
            if (accept("(")) {
                CategoryExpression inner = expression();
                if (!accept(")")) {
                    throw malformed("a closing parenthesis");
                }
                return inner;
            }
            int end = wordEnd();
            if (end == position) {
                throw malformed("a category");
            }
            String name = text.substring(position, end);
            position = end;
            return named(name);
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
            if (found) {
                position += token.length();
            }
            return found;
        }

        private boolean acceptWord(String word) {
            skipBlanks();
            int end = wordEnd();
            boolean found =
                    end - position == word.length() && text.regionMatches(true, position, word, 0, word.length());
            if (found) {
                position = end;
            }
            return found;
        }

        private int wordEnd() {
            int end = position;
            while (end < text.length() && isWordPart(text.charAt(end))) {
                end++;
            }
            return end;
        }

        private static boolean isWordPart(char c) {
            return Character.isJavaIdentifierPart(c) || c == '.' || c == '-' || c == '#' || c == '*';
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
