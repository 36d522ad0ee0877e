package residue.runner.platform;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import residue.runner.TestIds;

/**
 * Names tests by class, method and invocation numbers: by what their source and unique id say, never
 * by display names, which may hold anything.
 */
final class Names {
    private final TestPlan plan;
    /** Parent's unique id -> names of methods that it has in several overloads. */
    private final Map<String, Set<String>> overloads;

    Names(TestPlan plan) {
        this(plan, new HashMap<String, Set<String>>());
    }

    private Names(TestPlan plan, Map<String, Set<String>> overloads) {
        this.plan = plan;
        this.overloads = overloads;
    }

    /** Names for a plan that holds only a part of this one, with the overloads of the whole. */
    Names forPart(TestPlan part) {
        return new Names(part, overloads);
    }

    /** Remembers which methods of this class, in the whole plan, have several overloads. */
    void learnOverloads(TestIdentifier parent) {
        overloads.put(parent.getUniqueId(), overloads(parent));
    }

    String name(TestIdentifier test) {
        List<TestIdentifier> path = path(test);
        int method = firstMethod(path);
        return method >= 0 ? methodName(path, method) : sourceless(path);
    }

    /** Name of the class nearest above this node or of the node itself; else the id of the engine. */
    String className(TestIdentifier node) {
        List<TestIdentifier> path = path(node);
        int method = firstMethod(path);
        int from = method < 0 ? path.size() - 1 : method - 1;
        int at = lastClass(path, from);
        if (at >= 0) {
            return ((ClassSource) source(path.get(at))).getClassName();
        }
        return method >= 0
                ? ((MethodSource) source(path.get(method))).getClassName()
                : UniqueIds.engineId(path.get(0).getUniqueId());
    }

    /** The outermost class above this node: selecting it yields the node. Empty if there is none. */
    String selectedClass(TestIdentifier node) {
        for (TestIdentifier ancestor : path(node)) {
            TestSource source = source(ancestor);
            if (source instanceof ClassSource) {
                return ((ClassSource) source).getClassName();
            }
        }
        return "";
    }

    private String methodName(List<TestIdentifier> path, int at) {
        TestIdentifier node = path.get(at);
        MethodSource source = (MethodSource) source(node);
        StringBuilder text =
                new StringBuilder(TestIds.of(className(node), source.getMethodName()));
        if (isOverloaded(node, source.getMethodName())) {
            text.append(parameters(source));
        }
        for (int i = 0; i < path.size(); i++) {
            int invocation = UniqueIds.invocation(path.get(i).getUniqueId());
            if (invocation < 0 && i > at) {
                invocation = place(path.get(i));
            }
            if (invocation >= 0) {
                text.append(TestIds.index(invocation));
            }
        }
        return text.toString();
    }

    /** For engines whose tests are no methods: the segments of the unique id below the class. */
    private String sourceless(List<TestIdentifier> path) {
        TestIdentifier test = path.get(path.size() - 1);
        int at = lastClass(path, path.size() - 1);
        if (at == path.size() - 1) {
            return TestIds.wholeClass(className(test));
        }
        StringBuilder method = new StringBuilder();
        for (int i = Math.max(at, 0) + 1; i < path.size(); i++) {
            if (method.length() > 0) {
                method.append('/');
            }
            method.append(UniqueIds.lastValue(path.get(i).getUniqueId()));
        }
        return TestIds.of(className(test), method.toString());
    }

    /** The number an engine gave to a test that it made at run time, or its place among its siblings. */
    private int place(TestIdentifier node) {
        int number = UniqueIds.number(UniqueIds.lastValue(node.getUniqueId()));
        if (number >= 0) {
            return number;
        }
        int place = 0;
        TestIdentifier parent = plan.getParent(node).orElse(null);
        if (parent != null) {
            for (TestIdentifier sibling : plan.getChildren(parent)) {
                place++;
                if (sibling.equals(node)) {
                    break;
                }
            }
        }
        return place;
    }

    private boolean isOverloaded(TestIdentifier node, String method) {
        TestIdentifier parent = plan.getParent(node).orElse(null);
        if (parent == null) {
            return false;
        }
        Set<String> known = overloads.get(parent.getUniqueId());
        if (known == null) {
            known = overloads(parent);
            overloads.put(parent.getUniqueId(), known);
        }
        return known.contains(method);
    }

    private Set<String> overloads(TestIdentifier parent) {
        Set<String> overloaded = new HashSet<String>();
        Set<String> seen = new HashSet<String>();
        for (TestIdentifier child : plan.getChildren(parent)) {
            TestSource source = source(child);
            if (source instanceof MethodSource) {
                String method = ((MethodSource) source).getMethodName();
                if (!seen.add(method)) {
                    overloaded.add(method);
                }
            }
        }
        return overloaded;
    }

    /** {@code [int,String]} from {@code int, java.lang.String}. */
    private static String parameters(MethodSource source) {
        StringBuilder text = new StringBuilder("[");
        String types = source.getMethodParameterTypes();
        String separator = "";
        for (String type : types == null || types.trim().isEmpty() ? new String[0] : types.split(",")) {
            String binary = arraysAsInSource(type.trim());
            int simple = Math.max(binary.lastIndexOf('.'), binary.lastIndexOf('$')) + 1;
            text.append(separator).append(binary.substring(simple));
            separator = ",";
        }
        return text.append(']').toString();
    }

    /** Some versions write arrays as {@code [Ljava.lang.String;}, others as {@code java.lang.String[]}. */
    private static String arraysAsInSource(String type) {
        int dimensions = 0;
        while (type.charAt(dimensions) == '[') {
            dimensions++;
        }
        if (dimensions == 0) {
            return type;
        }
        try {
            Class<?> component = Class.forName(type, false, ClassLoader.getSystemClassLoader());
            while (component.isArray()) {
                component = component.getComponentType();
            }
            StringBuilder text = new StringBuilder(component.getName());
            for (int i = 0; i < dimensions; i++) {
                text.append("[]");
            }
            return text.toString();
        } catch (ClassNotFoundException | LinkageError keepAsWritten) {
            return type;
        }
    }

    private static int firstMethod(List<TestIdentifier> path) {
        for (int i = 0; i < path.size(); i++) {
            if (source(path.get(i)) instanceof MethodSource) {
                return i;
            }
        }
        return -1;
    }

    private static int lastClass(List<TestIdentifier> path, int from) {
        for (int i = from; i >= 0; i--) {
            if (source(path.get(i)) instanceof ClassSource) {
                return i;
            }
        }
        return -1;
    }

    static TestSource source(TestIdentifier node) {
        return node.getSource().orElse(null);
    }

    private List<TestIdentifier> path(TestIdentifier node) {
        List<TestIdentifier> path = new ArrayList<TestIdentifier>();
        for (TestIdentifier at = node; at != null; at = plan.getParent(at).orElse(null)) {
            path.add(at);
        }
        Collections.reverse(path);
        return path;
    }
}
