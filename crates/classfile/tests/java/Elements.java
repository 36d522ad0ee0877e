// Every kind of array, read and written, and what is superfluous.
public class Elements {
    public static String run() {
        boolean[] flags = given(new boolean[2]);
        byte[] bytes = given(new byte[2]);
        char[] chars = given(new char[2]);
        short[] shorts = given(new short[2]);
        int[] ints = given(new int[2]);
        long[] longs = given(new long[2]);
        float[] floats = given(new float[2]);
        double[] doubles = given(new double[2]);
        Object[] objects = given(new Object[2]);
        flags[1] = true; // hook: elementWrite boolean[] 1
        bytes[1] = 2; // hook: elementWrite byte[] 1
        chars[1] = 'c'; // hook: elementWrite char[] 1
        shorts[1] = 3; // hook: elementWrite short[] 1
        ints[1] = 4; // hook: elementWrite int[] 1
        longs[1] = 5; // hook: elementWrite long[] 1
        floats[1] = 6; // hook: elementWrite float[] 1
        doubles[1] = 7; // hook: elementWrite double[] 1
        objects[1] = "o"; // hook: elementWriteRef Object[] 1
        // A read after the write is superfluous, another index is not.
        boolean both = flags[1] | flags[0]; // hook: elementRead boolean[] 0
        long sum = bytes[1] + bytes[0]; // hook: elementRead byte[] 0
        sum += chars[1] + chars[0]; // hook: elementRead char[] 0
        sum += shorts[1] + shorts[0]; // hook: elementRead short[] 0
        sum += ints[1] + ints[0]; // hook: elementRead int[] 0
        sum += longs[1] + longs[0]; // hook: elementRead long[] 0
        sum += floats[1] + floats[0]; // hook: elementRead float[] 0
        sum += doubles[1] + doubles[0]; // hook: elementRead double[] 0
        Object first = objects[0]; // hook: elementRead Object[] 0
        String pair = first + " " + objects[1]; // hook: elementRead Object[] 1
        int index = given(0);
        ints[index]++;
        // hook: elementRead int[] 0
        // hook: elementWrite int[] 0
        ints[index + 1] += ints[index]; // hook: elementRead int[] 1
        // hook: elementWrite int[] 1
        // Nobody else can know these.
        int[] own = {1, 2, 3};
        int[][] nested = {own};
        own[0] = 9; // hook: elementWrite int[] 0
        return both + " " + sum + " " + pair + " " + nested[0][0]; // hook: elementRead int[] 0
        // result: true 126 null o 9
    }

    static <T> T given(T value) {
        return value;
    }
}
