// Every kind of field, read and written.
public class Fields {
    boolean flag;
    byte small;
    char letter;
    short medium;
    int number;
    long large;
    float real;
    double precise;
    String text;
    int[] list;
    static long total;
    static String name;

    public static String run() {
        Fields fields = new Fields();
        Fields other = fields.fill();
        // hook: write Fields.flag
        // hook: write Fields.small
        // hook: write Fields.letter
        // hook: write Fields.medium
        // hook: write Fields.number
        // hook: write Fields.large
        // hook: write Fields.real
        // hook: write Fields.precise
        // hook: writeRef Fields.text
        // hook: writeRef Fields.list
        // hook: staticWrite Fields.total
        // hook: staticWriteRef Fields.name
        // hook: read Fields.flag
        // hook: read Fields.small
        // hook: read Fields.letter
        // hook: read Fields.medium
        // hook: read Fields.number
        // hook: read Fields.large
        // hook: read Fields.real
        // hook: read Fields.precise
        // hook: read Fields.text
        // hook: read Fields.list
        // hook: staticRead Fields.total
        // hook: staticRead Fields.name
        return other.text();
        // result: true 1 x 2 3 5000000000 1.5 2.5 text 1 7 name
    }

    Fields fill() {
        flag = true;
        small = 1;
        letter = 'x';
        medium = 2;
        number = 3;
        large = 5_000_000_000L;
        real = 1.5f;
        precise = 2.5;
        text = "text";
        list = new int[1];
        total = 7;
        name = "name";
        return this;
    }

    String text() {
        String first = flag + " " + small + " " + letter + " " + medium + " " + number + " " + large;
        return first + " " + real + " " + precise + " " + text + " " + list.length + " " + total + " " + name;
    }
}
