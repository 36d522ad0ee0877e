package residue.runner;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import residue.runner.wire.ExitCodes;

/**
 * Ends the JVM at once when the host is gone, so that a killed host leaves no JVM behind.
 *
 * <p>A thread that sits in a native call when the JVM exits delays that by 300 ms. So this one reads
 * through a channel, which an interrupt can get it out of.
 */
final class HostWatch extends Thread {
    private final FileChannel orders;
    private volatile boolean dismissed;

    HostWatch(FileInputStream orders) {
        super("residue-host-watch");
        this.orders = orders.getChannel();
        setDaemon(true);
    }

    /** To be called when the JVM is about to end by itself. */
    void dismiss() {
        dismissed = true;
        interrupt();
    }

    /** A test that interrupts every thread there is must not end the watch. */
    @Override
    public void interrupt() {
        if (dismissed) {
            super.interrupt();
        }
    }

    @Override
    public void run() {
        ByteBuffer ignored = ByteBuffer.allocateDirect(1);
        try {
            while (orders.read(ignored) >= 0) {
                ((java.nio.Buffer) ignored).clear();
            }
        } catch (IOException unreadable) {
            // By the interrupt, or else the same as the end of the pipe.
        }
        if (!dismissed) {
            Runtime.getRuntime().halt(ExitCodes.HOST_GONE);
        }
    }
}
