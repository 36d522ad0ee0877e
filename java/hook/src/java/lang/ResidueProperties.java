package java.lang;

/**
 * Tells the agent which parts of the table of system properties hold which property: to people a
 * property is its key, not a place in a hash table.
 */
final class ResidueProperties {
    /** Parts with ids below this are told. */
    private static int told;

    private ResidueProperties() {}

    /** Once at the end of each epoch, when what it made has become old. */
    static void tell() {
        Object properties = properties();
        Object map = properties == null ? null : ResidueContents.field(properties, "map", false);
        Object table = map == null ? null : ResidueContents.field(map, "table", false);
        if (table instanceof Object[]) {
            for (Object head : (Object[]) table) {
                tellChain(head);
            }
        }
        told = ResidueCells.used();
    }

    private static Object properties() {
        int statics = ResidueMark.id(System.class);
        int slot = ResidueNative.slotOf(ResidueClasses.id(System.class), "props", true);
        long place = slot < 0 ? 0L : ResidueClasses.slotPlace(statics, slot);
        return place == 0 ? null : ResidueReferences.get(System.class, (int) place);
    }

    private static void tellChain(Object head) {
        Object first = head == null ? null : ResidueContents.field(head, "first", false);
        Object node = first == null ? head : first;
        while (node != null) {
            int id = ResidueMark.id(node);
            if (id != 0 && id >= told) {
                Object key = ResidueContents.field(node, "key", false);
                if (key instanceof String) {
                    ResidueNative.propertyKey(id, (String) key);
                }
            }
            node = ResidueContents.field(node, "next", false);
        }
    }
}
