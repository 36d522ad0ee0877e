package residue.runner;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import residue.runner.wire.FieldContent;

/** Values to put into static fields before tests, and static fields to look at after tests. */
public final class StandIns {
    /** A field, and for one that is written the value. */
    static final class Entry {
        /** Position among the entries of its kind. */
        final int number;
        final String className;
        final String fieldName;
        final FieldContent value;

        Entry(int number, String className, String fieldName, FieldContent value) {
            this.number = number;
            this.className = className;
            this.fieldName = fieldName;
            this.value = value;
        }
    }

    private final Map<Integer, List<Entry>> before = new HashMap<Integer, List<Entry>>();
    private final Map<Integer, List<Entry>> after = new HashMap<Integer, List<Entry>>();
    private int puts;
    private int watched;

    public void put(int beforeTest, String className, String fieldName, FieldContent value) {
        add(before, beforeTest, new Entry(puts++, className, fieldName, value));
    }

    public void watch(int afterTest, String className, String fieldName) {
        add(after, afterTest, new Entry(watched++, className, fieldName, null));
    }

    boolean isEmpty() {
        return before.isEmpty() && after.isEmpty();
    }

    List<Entry> before(int test) {
        return entries(before, test);
    }

    List<Entry> after(int test) {
        return entries(after, test);
    }

    private static void add(Map<Integer, List<Entry>> entries, int test, Entry entry) {
        List<Entry> ofTest = entries.get(test);
        if (ofTest == null) {
            ofTest = new ArrayList<Entry>();
            entries.put(test, ofTest);
        }
        ofTest.add(entry);
    }

    private static List<Entry> entries(Map<Integer, List<Entry>> entries, int test) {
        List<Entry> ofTest = entries.get(test);
        return ofTest == null ? Collections.<Entry>emptyList() : ofTest;
    }
}
