package java.lang;

import static java.lang.ResidueNative.U;

import java.lang.reflect.Array;

/**
 * What makes up an object for whoever compares it: its fields, or the elements of a collection,
 * however the collection keeps them.
 *
 * <p>The agent fills in a table for each class when it is asked for: {kind, number of fields, then
 * for each its offset, type, slot (or -1 if it never changes)}. Fields of the JDK's collections are
 * not in their tables, but those of their subclasses are.
 */
final class ResidueContents {
    // Kinds of classes; from HASH_MAP on collections.
    static final int FIELDS = 0;
    /** Nothing is known about its content: only the object itself is like it. */
    static final int IDENTITY = 1;
    static final int HASH_MAP = 2;
    static final int LINKED_HASH_MAP = 3;
    static final int HASHTABLE = 4;
    static final int CONCURRENT_HASH_MAP = 5;
    static final int IDENTITY_HASH_MAP = 6;
    static final int WEAK_HASH_MAP = 7;
    static final int TREE_MAP = 8;
    static final int ARRAY_LIST = 9;
    static final int VECTOR = 10;
    static final int ARRAY_DEQUE = 11;

    private static final int ENTRY_BYTES = 12;

    /** Where the tables are, by number of the class. */
    private static long[] tables = new long[1024];

    /** Offsets that were asked for lately. */
    private static final int OFFSETS = 1 << 9;
    private static final int[] offsetTypes = new int[OFFSETS];
    private static final String[] offsetNames = new String[OFFSETS];
    private static final long[] offsets = new long[OFFSETS];

    private ResidueContents() {}

    /** The table of a class, or 0 if there is none: its objects are values. */
    static long table(Class<?> type) {
        int id = ResidueClasses.id(type);
        if (id == 0) {
            return 0L;
        }
        if (id >= tables.length) {
            long[] more = new long[id * 2];
            System.arraycopy(tables, 0, more, 0, tables.length);
            tables = more;
        }
        if (tables[id] == 0) {
            tables[id] = ResidueNative.contents(type, id);
        }
        return tables[id];
    }

    static int kind(long table) {
        return table == 0 ? IDENTITY : U.getInt(table);
    }

    static boolean isCollection(int kind) {
        return kind >= HASH_MAP;
    }

    static boolean isMap(int kind) {
        return kind >= HASH_MAP && kind < ARRAY_LIST;
    }

    /** Whether the order of its elements can be told. */
    static boolean isOrdered(int kind) {
        return kind == LINKED_HASH_MAP || kind >= TREE_MAP;
    }

    static int fields(long table) {
        return table == 0 ? 0 : U.getInt(table + 4);
    }

    static int offset(long table, int field) {
        return U.getInt(table + 8 + (long) field * ENTRY_BYTES);
    }

    static char type(long table, int field) {
        return (char) U.getInt(table + 12 + (long) field * ENTRY_BYTES);
    }

    static int slot(long table, int field) {
        return U.getInt(table + 16 + (long) field * ENTRY_BYTES);
    }

    /** The key of a part of a map; null for all other objects. */
    static Object keyOf(Object object) {
        int id = ResidueClasses.id(object.getClass());
        if (object instanceof Class || !ResidueNative.isMapEntry(id)) {
            return null;
        }
        return field(object, offset(object.getClass(), "key") > 0 ? "key" : "referent", false);
    }

    /** Names and values of environment variables are texts in disguise. */
    static Object undisguised(Object object) {
        boolean isVariable =
                object != null && object.getClass().getName().startsWith("java.lang.ProcessEnvironment$");
        Object text = isVariable ? field(object, "str", false) : null;
        return text == null ? object : text;
    }

    /** The elements of a collection; null if it is not as it should be. */
    static ResidueElements elements(Object collection, int kind, boolean old) {
        ResidueElements into = new ResidueElements();
        boolean understood;
        switch (kind) {
            case HASH_MAP:
            case HASHTABLE:
                understood = chains(collection, "key", "value", false, old, into);
                break;
            case WEAK_HASH_MAP:
                understood = chains(collection, "referent", "value", true, old, into);
                break;
            case CONCURRENT_HASH_MAP:
                understood = chains(collection, "key", "val", false, old, into);
                break;
            case LINKED_HASH_MAP:
                understood = links(collection, old, into);
                break;
            case IDENTITY_HASH_MAP:
                understood = pairs(collection, old, into);
                break;
            case TREE_MAP:
                understood = tree(collection, old, into);
                break;
            case ARRAY_LIST:
                understood = stretch(collection, "elementData", "size", old, into);
                break;
            case VECTOR:
                understood = stretch(collection, "elementData", "elementCount", old, into);
                break;
            default:
                understood = ring(collection, old, into);
        }
        return understood ? into : null;
    }

    /** What a field holds; null also if there is no such field. */
    static Object field(Object holder, String name, boolean old) {
        long offset = offset(holder.getClass(), name);
        return offset <= 0 ? null : ResidueViews.reference(holder, offset, old);
    }

    private static int number(Object holder, String name, boolean old) {
        long offset = offset(holder.getClass(), name);
        return offset <= 0 ? -1 : ResidueViews.number(holder, offset, old);
    }

    /** Where a field is that the class or a superclass declares; 0 if there is none. */
    private static long offset(Class<?> type, String name) {
        int id = ResidueClasses.id(type);
        int at = (id * 31 + name.length() * 7 + name.charAt(0)) & OFFSETS - 1;
        if (offsetTypes[at] != id || offsetNames[at] != name) {
            offsets[at] = ResidueNative.fieldOffset(type, name);
            offsetTypes[at] = id;
            offsetNames[at] = name;
        }
        return offsets[at];
    }

    private static boolean chains(
            Object map,
            String key,
            String value,
            boolean isWeak,
            boolean old,
            ResidueElements into) {
        Object table = field(map, "table", old);
        if (table == null) {
            return true;
        }
        if (!(table instanceof Object[])) {
            return false;
        }
        Object[] heads = (Object[]) table;
        int id = ResidueMark.id(table);
        for (int i = 0; i < heads.length; i++) {
            Object node = ResidueViews.element(heads, id, i, old);
            if (node != null && offset(node.getClass(), "first") > 0) {
                node = field(node, "first", old);
            }
            while (node != null) {
                if (node == ResidueUndo.GONE || into.isFull()) {
                    return false;
                }
                Object found = field(node, key, old);
                // The collector clears weak keys, at no test's will.
                if (found != null || !isWeak) {
                    into.add(found, field(node, value, old));
                }
                node = field(node, "next", old);
            }
        }
        return true;
    }

    private static boolean links(Object map, boolean old, ResidueElements into) {
        Object node = field(map, "head", old);
        while (node != null) {
            if (node == ResidueUndo.GONE || into.isFull()) {
                return false;
            }
            into.add(field(node, "key", old), field(node, "value", old));
            node = field(node, "after", old);
        }
        return true;
    }

    private static boolean pairs(Object map, boolean old, ResidueElements into) {
        Object table = field(map, "table", old);
        if (!(table instanceof Object[])) {
            return false;
        }
        Object[] cells = (Object[]) table;
        int id = ResidueMark.id(table);
        for (int i = 0; i + 1 < cells.length; i += 2) {
            Object key = ResidueViews.element(cells, id, i, old);
            if (key != null) {
                into.add(key, ResidueViews.element(cells, id, i + 1, old));
            }
        }
        return true;
    }

    /** In order, by the parents of the nodes: a tree knows its own way. */
    private static boolean tree(Object map, boolean old, ResidueElements into) {
        Object node = field(map, "root", old);
        Object from = null;
        while (node != null) {
            if (node == ResidueUndo.GONE || into.isFull()) {
                return false;
            }
            Object left = field(node, "left", old);
            Object right = field(node, "right", old);
            Object parent = field(node, "parent", old);
            boolean comesFromParent = from == parent;
            if (comesFromParent && left != null) {
                from = node;
                node = left;
                continue;
            }
            if (comesFromParent || from == left) {
                into.add(field(node, "key", old), field(node, "value", old));
                if (right != null) {
                    from = node;
                    node = right;
                    continue;
                }
            }
            from = node;
            node = parent;
        }
        return true;
    }

    private static boolean stretch(
            Object list, String array, String size, boolean old, ResidueElements into) {
        Object elements = field(list, array, old);
        int count = number(list, size, old);
        if (!(elements instanceof Object[]) || count < 0 || count > Array.getLength(elements)) {
            return false;
        }
        int id = ResidueMark.id(elements);
        for (int i = 0; i < count; i++) {
            into.add(null, ResidueViews.element((Object[]) elements, id, i, old));
        }
        return true;
    }

    private static boolean ring(Object deque, boolean old, ResidueElements into) {
        Object elements = field(deque, "elements", old);
        int head = number(deque, "head", old);
        int tail = number(deque, "tail", old);
        if (!(elements instanceof Object[])) {
            return false;
        }
        Object[] ring = (Object[]) elements;
        int id = ResidueMark.id(elements);
        if (head < 0 || tail < 0 || head >= ring.length && head != tail || tail > ring.length) {
            return false;
        }
        for (int i = head; i != tail; i = i + 1 == ring.length ? 0 : i + 1) {
            into.add(null, ResidueViews.element(ring, id, i, old));
        }
        return true;
    }
}
