package residue.runner;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** What is in objects whose fields nobody may touch, by what they offer to everybody. */
final class Contents {
    /** To copy more would take longer than the test. */
    private static final int MOST_WITHIN = 10_000;

    private Contents() {}

    /** @return null if the object is none of those */
    static Keepsake of(Object object) {
        if (object instanceof Map) {
            return ofMap((Map<?, ?>) object);
        }
        if (object instanceof Collection) {
            return ofCollection((Collection<?>) object);
        }
        if (object instanceof AtomicReference) {
            return ofReference((AtomicReference<?>) object);
        }
        if (object instanceof StringBuilder || object instanceof StringBuffer) {
            return ofText((Appendable) object);
        }
        return ofAtomicNumber(object);
    }

    /** A container, and all that is in it, also by way of containers in it; of much, not all. */
    static Iterable<Object> within(Object container) {
        Map<Object, Boolean> seen = new IdentityHashMap<Object, Boolean>();
        List<Object> within = new ArrayList<Object>();
        seen.put(container, true);
        within.add(container);
        for (int next = 0; next < within.size(); next++) {
            for (Object element : elements(within.get(next))) {
                if (element != null && within.size() < MOST_WITHIN && seen.put(element, true) == null) {
                    within.add(element);
                }
            }
        }
        return within;
    }

    private static Collection<?> elements(Object object) {
        if (object instanceof Map) {
            return ((Map<?, ?>) object).values();
        }
        if (object instanceof Collection) {
            return (Collection<?>) object;
        }
        if (object instanceof AtomicReference) {
            return Collections.singleton(((AtomicReference<?>) object).get());
        }
        return Collections.emptySet();
    }

    @SuppressWarnings("unchecked")
    private static Keepsake ofMap(Map<?, ?> noted) {
        final Map<Object, Object> map = (Map<Object, Object>) noted;
        // Not a map: the keys may have changed, and with them how they compare.
        final List<Object> keys = new ArrayList<Object>(map.size());
        final List<Object> values = new ArrayList<Object>(map.size());
        for (Map.Entry<Object, Object> entry : map.entrySet()) {
            keys.add(entry.getKey());
            values.add(entry.getValue());
        }
        return new Keepsake() {
            @Override
            public void putBack() {
                map.clear();
                for (int i = 0; i < keys.size(); i++) {
                    map.put(keys.get(i), values.get(i));
                }
            }
        };
    }

    @SuppressWarnings("unchecked")
    private static Keepsake ofCollection(Collection<?> noted) {
        final Collection<Object> collection = (Collection<Object>) noted;
        final List<Object> elements = new ArrayList<Object>(collection);
        return new Keepsake() {
            @Override
            public void putBack() {
                collection.clear();
                collection.addAll(elements);
            }
        };
    }

    @SuppressWarnings("unchecked")
    private static Keepsake ofReference(AtomicReference<?> noted) {
        final AtomicReference<Object> reference = (AtomicReference<Object>) noted;
        final Object value = reference.get();
        return new Keepsake() {
            @Override
            public void putBack() {
                reference.set(value);
            }
        };
    }

    private static Keepsake ofText(final Appendable builder) {
        final String text = builder.toString();
        return new Keepsake() {
            @Override
            public void putBack() throws Exception {
                if (builder instanceof StringBuilder) {
                    ((StringBuilder) builder).setLength(0);
                } else {
                    ((StringBuffer) builder).setLength(0);
                }
                builder.append(text);
            }
        };
    }

    private static Keepsake ofAtomicNumber(final Object object) {
        final long value;
        if (object instanceof AtomicInteger) {
            value = ((AtomicInteger) object).get();
        } else if (object instanceof AtomicLong) {
            value = ((AtomicLong) object).get();
        } else if (object instanceof AtomicBoolean) {
            value = ((AtomicBoolean) object).get() ? 1 : 0;
        } else {
            return null;
        }
        return new Keepsake() {
            @Override
            public void putBack() {
                if (object instanceof AtomicInteger) {
                    ((AtomicInteger) object).set((int) value);
                } else if (object instanceof AtomicLong) {
                    ((AtomicLong) object).set(value);
                } else {
                    ((AtomicBoolean) object).set(value != 0);
                }
            }
        };
    }
}
