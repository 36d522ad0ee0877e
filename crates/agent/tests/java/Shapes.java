import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** Lambdas, inner classes, inheritance, interfaces. */
final class Shapes {
    static class Base {
        int a = 1;
    }

    static class Derived extends Base {
        int b = 2;
        int a = 3;
    }

    final class Inner {
        int own = outer + 1;
    }

    int outer = 10;

    static Derived derived = new Derived();
    static Shapes shapes = new Shapes();
    static Inner inner = shapes.new Inner();
    static Runnable lambda = counting(new int[1]);
    static Supplier<int[]> captured;
    static IntSupplier anonymous =
            new IntSupplier() {
                private int calls;

                @Override
                public int getAsInt() {
                    return ++calls;
                }
            };

    private static Runnable counting(int[] cell) {
        return () -> cell[0]++;
    }

    // W Shapes.derived -> Shapes$Base.a: 1 -> 5
    // W Shapes.derived -> Shapes$Derived.a: 3 -> 6
    static void t0() {
        ((Base) derived).a = 5;
        derived.a = 6;
    }

    // R Shapes.derived -> Shapes$Base.a
    static void t1() {
        Aliasing.require(((Base) derived).a == 5 && derived.b == 2);
    }

    // W Shapes.shapes -> Shapes.outer: 10 -> 11
    static void t2() {
        shapes.outer = 11;
    }

    // R Shapes.shapes -> Shapes.outer
    static void t3() {
        Aliasing.require(inner.own == 11 && shapes.new Inner().own == 12);
    }

    // What only a lambda refers to is shared all the same.
    // R Shapes.lambda -> Shapes$$Lambda.arg$1[0]
    // W Shapes.lambda -> Shapes$$Lambda.arg$1[0]: 0 -> 1
    static void t4() {
        lambda.run();
    }

    // R Shapes.lambda -> Shapes$$Lambda.arg$1[0]
    // W Shapes.lambda -> Shapes$$Lambda.arg$1[0]: 1 -> 2
    static void t5() {
        lambda.run();
    }

    // R Shapes.anonymous -> Shapes$1.calls
    // W Shapes.anonymous -> Shapes$1.calls: 0 -> 1
    static void t6() {
        anonymous.getAsInt();
    }

    // R Shapes.anonymous -> Shapes$1.calls
    // W Shapes.anonymous -> Shapes$1.calls: 1 -> 2
    static void t7() {
        anonymous.getAsInt();
    }
}
