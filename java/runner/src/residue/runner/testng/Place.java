package residue.runner.testng;

import java.util.ArrayList;
import java.util.List;

/** Where a method stands in the order in which TestNG itself runs the methods of a test. */
final class Place {
    final int number;
    /** The places of the methods that it declares to depend on. */
    final List<Integer> after;

    Place(int number, List<Integer> after) {
        this.number = number;
        this.after = after;
    }

    /** {@code 7>2>5}: seventh, after the second and the fifth. */
    static Place parse(String text) {
        String[] numbers = text.split(">");
        List<Integer> after = new ArrayList<Integer>(numbers.length - 1);
        for (int i = 1; i < numbers.length; i++) {
            after.add(Integer.valueOf(numbers[i]));
        }
        return new Place(Integer.parseInt(numbers[0]), after);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder().append(number);
        for (Integer earlier : after) {
            text.append('>').append(earlier);
        }
        return text.toString();
    }
}
