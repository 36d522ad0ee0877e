package residue.runner.testng;

import java.util.ArrayList;
import java.util.List;

/** A class that the build selects, with its place among the selected classes. */
final class SelectedClass implements Comparable<SelectedClass> {
    final int place;
    final String name;

    SelectedClass(int place, String name) {
        this.place = place;
        this.name = name;
    }

    /** {@code 3:pkg.A,7:pkg.B}. */
    static String format(List<SelectedClass> classes) {
        StringBuilder text = new StringBuilder();
        for (SelectedClass selected : classes) {
            text.append(text.length() > 0 ? "," : "");
            text.append(selected.place).append(':').append(selected.name);
        }
        return text.toString();
    }

    static List<SelectedClass> parseAll(String text) {
        List<SelectedClass> classes = new ArrayList<SelectedClass>();
        for (String part : text.isEmpty() ? new String[0] : text.split(",")) {
            int colon = part.indexOf(':');
            int place = Integer.parseInt(part.substring(0, colon));
            classes.add(new SelectedClass(place, part.substring(colon + 1)));
        }
        return classes;
    }

    @Override
    public int compareTo(SelectedClass other) {
        return Integer.compare(place, other.place);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SelectedClass && name.equals(((SelectedClass) other).name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }
}
