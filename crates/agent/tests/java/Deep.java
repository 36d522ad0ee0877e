/** Long lists and wide arrays are adopted without deep recursion; cycles end. */
final class Deep {
    static final class Node {
        Node next;
        int value;
    }

    static Node head;
    static Object[] cycle = new Object[1];

    // R Deep.head
    // W Deep.head: null -> Deep$Node
    // W Deep.cycle[0]: null -> Object[]
    static void t0() {
        for (int i = 0; i < 200_000; i++) {
            Node node = new Node();
            node.next = head;
            head = node;
        }
        cycle[0] = cycle;
    }

    // R Deep.head
    // W Deep.head -> Deep$Node.value: 0 -> 1
    static void t1() {
        head.value = 1;
    }
}
