package java.lang;

import static java.lang.ResidueNative.U;

/** Ends epochs: what they wrote is looked up, and what they left reachable becomes old. */
final class ResidueEpochs {
    private static int epoch;
    private static boolean over;

    private ResidueEpochs() {}

    static void boundary(int kind, int position) {
        ResidueNative.lock();
        try {
            if (epoch == 0 && !offsetsAreRight()) {
                over = true;
                ResidueNative.failed("the offsets of fields are unknown in this JVM");
            }
            if (!over) {
                boolean captures = ResidueUndo.IS_ON && ResiduePollution.ends(kind);
                end(captures);
                epoch++;
                ResidueNative.beginEpoch(kind, position);
                ResidueCells.now = epoch << ResidueCells.EPOCH_SHIFT;
                if (ResidueUndo.IS_ON) {
                    ResiduePollution.begun(kind, captures);
                }
            }
        } catch (Throwable thrown) {
            stop(thrown);
        } finally {
            ResidueNative.unlock();
        }
    }

    static void finish() {
        ResidueNative.lock();
        try {
            if (!over && epoch > 0) {
                end(ResidueUndo.IS_ON);
            }
            over = true;
            ResidueCells.now = Integer.MIN_VALUE;
            ResidueNative.finish();
        } catch (Throwable thrown) {
            stop(thrown);
        } finally {
            ResidueNative.unlock();
        }
    }

    /** An object that a framework keeps from one test to the next without a static. */
    static void root(Object object) {
        ResidueNative.lock();
        try {
            if (!over) {
                // The framework made it, whatever test runs just now.
                ResidueAdoption.begin(0);
                ResidueAdoption.adopt(object, 0);
                ResidueAdoption.drain();
                if (ResidueUndo.IS_ON) {
                    ResidueNative.keepRoot(object, ResidueMark.id(object));
                }
            }
        } catch (Throwable thrown) {
            stop(thrown);
        } finally {
            ResidueNative.unlock();
        }
    }

    /** What an initialiser made is there for everyone, whoever was first to need the class. */
    static void classInitialized() {
        if (ResidueCells.now < 0) {
            return;
        }
        ResidueNative.lock();
        try {
            Class<?> type = ResidueNative.initializedClass();
            if (type != null) {
                ResidueAdoption.begin(0);
                ResidueAdoption.adoptStatics(type);
                ResidueAdoption.drain();
                if (ResidueUndo.IS_ON) {
                    ResidueNative.loadedInCapture(type);
                }
            }
        } catch (Throwable thrown) {
            stop(thrown);
        } finally {
            ResidueNative.unlock();
        }
    }

    private static boolean offsetsAreRight() {
        int ofStatic = (int) ResidueNative.constant(ResidueLimits.STATIC_PROBE_OFFSET);
        int ofField = (int) ResidueNative.constant(ResidueLimits.PROBE_OFFSET);
        ResidueMarkProbe probe = new ResidueMarkProbe();
        return ofStatic > 0
                && ofField > 0
                && U.getInt(ResidueLimits.class, (long) ofStatic) == ResidueLimits.probe
                && U.getInt(probe, (long) ofField) == probe.probe;
    }

    private static void end(boolean captures) {
        int ended = ResidueCells.now;
        if (epoch != 0) {
            ResidueProperties.settle();
        }
        ResidueAdoption.begin(epoch);
        if (epoch == 0) {
            int classes = ResidueNative.collectClasses();
            for (int i = 0; i < classes; i++) {
                ResidueAdoption.adoptStatics(ResidueNative.collectedClass(i));
                ResidueAdoption.drain();
            }
            // Not before: arrays can be described only now.
            ResidueProperties.settle();
        } else {
            // From here on other threads are in the next epoch, though nobody knows yet which it is.
            ResidueCells.now = epoch + 1 << ResidueCells.EPOCH_SHIFT;
            adoptWritten(ResidueNative.endEpoch(ended));
        }
        adoptThreads();
        markPending();
        if (epoch != 0) {
            if (captures) {
                ResiduePollution.capture();
            }
            ResidueHoldings.tell();
            ResidueNative.flushEpoch();
        }
    }

    private static void adoptWritten(int writes) {
        ResidueAdoption.begin(0);
        adoptWritten(writes, false);
        ResidueAdoption.begin(epoch);
        adoptWritten(writes, true);
        for (int write = 0; write < writes; write++) {
            Object holder = ResidueNative.holder(write);
            if (holder != null && ResidueNative.isTold(write)) {
                tellValue(write, holder);
            }
        }
    }

    private static void adoptWritten(int writes, boolean told) {
        for (int write = 0; write < writes; write++) {
            Object holder = ResidueNative.isTold(write) == told ? ResidueNative.holder(write) : null;
            if (holder != null) {
                adoptWritten(write, holder);
                ResidueAdoption.drain();
            }
        }
    }

    private static void adoptWritten(int write, Object holder) {
        long place = ResidueNative.place(write);
        int id = (int) (place >>> 32);
        int cell = (int) place;
        long record = ResidueClasses.recordOf(id);
        if (ResidueClasses.isStatics(id) || !ResidueClasses.isArray(record)) {
            long slot = ResidueClasses.slotPlace(id, cell - id - ResidueCells.HEADER);
            if (ResidueClasses.isFollowed(slot)) {
                ResidueAdoption.adopt(ResidueReferences.get(holder, (int) slot), cell);
            }
        } else if (ResidueClasses.kind(record) == ResidueClasses.REFERENCE_ARRAY) {
            Object[] elements = (Object[]) holder;
            int shift = ResidueCells.shift(elements.length);
            int from = cell - id - ResidueCells.ARRAY_HEADER << shift;
            int to = from + (1 << shift);
            ResidueAdoption.adoptRange(elements, id, from, to < elements.length ? to : elements.length);
        }
    }

    private static void tellValue(int write, Object holder) {
        long place = ResidueNative.place(write);
        int id = (int) (place >>> 32);
        int cell = (int) place;
        long record = ResidueClasses.recordOf(id);
        if (ResidueClasses.isStatics(id) || !ResidueClasses.isArray(record)) {
            long slot = ResidueClasses.slotPlace(id, cell - id - ResidueCells.HEADER);
            if (slot != 0) {
                ResidueValues.current(write, holder, cell, ResidueClasses.type(slot), (int) slot);
            }
        } else if (ResidueCells.shift(ResidueClasses.length(holder)) == 0) {
            int index = cell - id - ResidueCells.ARRAY_HEADER;
            ResidueValues.current(
                    write,
                    holder,
                    cell,
                    ResidueClasses.elementType(record),
                    ResidueClasses.elementOffset(record, index));
        }
    }

    private static void adoptThreads() {
        int threads = ResidueNative.collectThreads();
        for (int i = 0; i < threads; i++) {
            Thread thread = ResidueNative.collectedThread(i);
            if (thread != null && ResidueMark.id(thread) == 0) {
                ResidueAdoption.adopt(thread, 0);
                ResidueNative.threadAdopted(i, ResidueMark.id(thread));
                if (ResidueUndo.IS_ON) {
                    ResidueNative.keepRoot(thread, ResidueMark.id(thread));
                }
                ResidueAdoption.drain();
            }
        }
    }

    private static void markPending() {
        if (ResidueMark.pending == 0) {
            return;
        }
        int left = 0;
        int count = ResidueNative.collectPending();
        for (int i = 0; i < count; i++) {
            Object object = ResidueNative.pendingObject(i);
            if (object == null || ResidueMark.makeOld(object, ResidueNative.tag(object))) {
                ResidueNative.pendingMarked(i);
            } else {
                left++;
            }
        }
        ResidueMark.pending = left;
    }

    /** Tracking never harms a test: what goes wrong here ends it, and the trace says so. */
    private static void stop(Throwable thrown) {
        over = true;
        ResidueCells.now = Integer.MIN_VALUE;
        ResidueAdoption.forget();
        if (ResidueUndo.IS_ON) {
            ResiduePollution.forget();
        }
        ResidueHoldings.forget();
        ResidueNative.failed(thrown.getClass());
    }
}
