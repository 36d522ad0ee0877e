package residue.runner.wire;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import residue.runner.Framework;

/**
 * Reports to the host. Each event is one write to the pipe at once: what was reported survives
 * whatever becomes of the JVM. Only listed tests go out together, since half a listing is worth
 * nothing. A pipe that cannot be written means that the host is gone, and then
 * nobody is left to run tests for.
 */
public final class EventWriter {
    private static final byte[] PREAMBLE = {'R', 'S', 'D', 'U', 0, 3};
    private static final int LISTING_BUFFER = 16 << 10;

    private final OutputStream pipe;
    private final FrameBuffer frame = new FrameBuffer();
    /** Listed tests on their way to the pipe; null while there is no listing. */
    private OutputStream listing;

    public EventWriter(OutputStream pipe) {
        this.pipe = pipe;
    }

    public synchronized void hello(String javaVersion, String vmName) throws IOException {
        pipe.write(PREAMBLE);
        frame.start(1);
        frame.text(javaVersion);
        frame.text(vmName);
        send();
    }

    public synchronized void ready() {
        frame.start(2);
        send();
    }

    public synchronized void listed(Framework framework, String id, String locator) {
        frame.start(3);
        frame.u8(framework.ordinal());
        frame.text(id);
        frame.text(locator);
        frame.finish();
        if (listing == null) {
            listing = new BufferedOutputStream(pipe, LISTING_BUFFER);
        }
        try {
            listing.write(frame.bytes(), 0, frame.length());
        } catch (IOException hostGone) {
            Runtime.getRuntime().halt(ExitCodes.HOST_GONE);
        }
    }

    public synchronized void unlistable(String className, Throwable reason) {
        frame.start(4);
        frame.text(className);
        FailureEncoder.put(frame, reason);
        send();
    }

    public synchronized void begin(int index) {
        frame.start(5);
        frame.u32(index);
        send();
    }

    /** @param thrown what was thrown if the end is a failure or an error */
    public synchronized void end(
            int index, long nanos, TestEnd end, Throwable thrown, String skipReason) {
        frame.start(6);
        frame.u32(index);
        frame.u64(nanos);
        testEnd(end, thrown, skipReason);
        send();
    }

    public synchronized void unrequested(String id, TestEnd end, Throwable thrown) {
        frame.start(7);
        frame.text(id);
        testEnd(end, thrown, null);
        send();
    }

    public synchronized void fixtureFailed(String className, boolean afterTests, Throwable thrown) {
        frame.start(8);
        frame.text(className);
        frame.u8(afterTests ? 1 : 0);
        FailureEncoder.put(frame, thrown);
        send();
    }

    public synchronized void threadLeft(int index, String threadName) {
        frame.start(9);
        frame.u32(index);
        frame.text(threadName);
        send();
    }

    /** @param firstFrame where the part of the stack begins that tells who ends the JVM */
    public synchronized void exiting(StackTraceElement[] caller, int firstFrame) {
        frame.start(10);
        FailureEncoder.frames(frame, caller, firstFrame);
        send();
    }

    public synchronized void done() {
        frame.start(11);
        send();
    }

    public synchronized void runnerFailed(String activity, Throwable thrown) {
        frame.start(12);
        frame.text(activity);
        FailureEncoder.put(frame, thrown);
        send();
    }

    public synchronized void standInRefused(int put, String reason) {
        frame.start(13);
        frame.u32(put);
        frame.text(reason);
        send();
    }

    public synchronized void fieldLeft(int watched, FieldContent content) {
        frame.start(14);
        frame.u32(watched);
        frame.u8(content.kind);
        if (content.isPrimitive()) {
            frame.u64(content.bits);
        } else if (content.text != null) {
            frame.text(content.text);
        }
        send();
    }

    public synchronized void notPutBack(int place, String reason) {
        frame.start(15);
        frame.u32(place);
        frame.text(reason);
        send();
    }

    private void testEnd(TestEnd end, Throwable thrown, String skipReason) {
        frame.u8(end.ordinal());
        if (end == TestEnd.FAILED || end == TestEnd.ERRORED) {
            FailureEncoder.put(frame, thrown);
        } else if (end == TestEnd.SKIPPED) {
            frame.optionalText(skipReason);
        }
    }

    private void send() {
        frame.finish();
        try {
            if (listing != null) {
                listing.flush();
            }
            pipe.write(frame.bytes(), 0, frame.length());
        } catch (IOException hostGone) {
            Runtime.getRuntime().halt(ExitCodes.HOST_GONE);
        }
    }
}
