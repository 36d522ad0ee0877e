package java.lang;

/**
 * Which old object stands for which new one: both ways, each for at most one. Pairs that turned out
 * wrong can be taken back, latest first.
 */
final class ResiduePairs {
    private static int[] olds = new int[1024];
    private static int[] news = new int[1024];
    private static int size;

    /** Positions in the lists plus 1, by hash of the old and of the new id. */
    private static int[] byOld = new int[4096];
    private static int[] byNew = new int[4096];

    private ResiduePairs() {}

    static int size() {
        return size;
    }

    static int old(int at) {
        return olds[at];
    }

    /** The id that stands for an old one, or 0. */
    static int newOf(int old) {
        int at = byOld[place(byOld, olds, old)];
        return at == 0 ? 0 : news[at - 1];
    }

    /** The id that a new one stands for, or 0. */
    static int oldOf(int id) {
        int at = byNew[place(byNew, news, id)];
        return at == 0 ? 0 : olds[at - 1];
    }

    static void add(int old, int id) {
        if (size == olds.length) {
            grow();
        }
        olds[size] = old;
        news[size] = id;
        size++;
        enter(size);
    }

    private static void enter(int number) {
        byOld[place(byOld, olds, olds[number - 1])] = number;
        byNew[place(byNew, news, news[number - 1])] = number;
    }

    /** Takes back all but the first pairs. What was entered last is the end of its chain. */
    static void shrink(int to) {
        while (size > to) {
            byOld[place(byOld, olds, olds[size - 1])] = 0;
            byNew[place(byNew, news, news[size - 1])] = 0;
            size--;
        }
    }

    private static int place(int[] index, int[] ids, int id) {
        int mask = index.length - 1;
        int at = id * 0x9E3779B9 >>> 7;
        while (true) {
            int number = index[at & mask];
            if (number == 0 || ids[number - 1] == id) {
                return at & mask;
            }
            at++;
        }
    }

    private static void grow() {
        int length = size * 2;
        int[] moreOlds = new int[length];
        int[] moreNews = new int[length];
        System.arraycopy(olds, 0, moreOlds, 0, size);
        System.arraycopy(news, 0, moreNews, 0, size);
        olds = moreOlds;
        news = moreNews;
        byOld = new int[length * 4];
        byNew = new int[length * 4];
        for (int number = 1; number <= size; number++) {
            enter(number);
        }
    }
}
