package residue.runner.wire;

/**
 * Writes a throwable and its causes. Throwables come from the code under test: their methods may
 * throw, return null or refer to themselves, and there may be no memory left. Whatever happens, a
 * well-formed failure is written.
 */
final class FailureEncoder {
    private static final int MOST_CAUSES = 16;
    private static final int MOST_FRAMES = 512;
    private static final int LONGEST_MESSAGE = 64 << 10;

    private FailureEncoder() {}

    static void put(FrameBuffer out, Throwable thrown) {
        int start = out.length();
        try {
            chain(out, thrown);
        } catch (Throwable whileEncoding) {
            out.truncate(start);
            minimal(out, thrown);
        }
    }

    private static void chain(FrameBuffer out, Throwable outermost) {
        int countPosition = out.length();
        out.u32(0);
        Throwable[] written = new Throwable[MOST_CAUSES];
        int count = 0;
        for (Throwable each = outermost; each != null && count < MOST_CAUSES; each = causeOf(each)) {
            if (contains(written, count, each)) {
                break;
            }
            written[count++] = each;
            one(out, each);
        }
        out.patch(countPosition, count);
    }

    private static void one(FrameBuffer out, Throwable thrown) {
        out.text(thrown.getClass().getName());
        String message = messageOf(thrown);
        out.u8(message == null ? 0 : 1);
        if (message != null) {
            out.text(message, Math.min(message.length(), LONGEST_MESSAGE));
        }
        frames(out, stackOf(thrown), 0);
    }

    /** Writes the frames from {@code first} on. */
    static void frames(FrameBuffer out, StackTraceElement[] frames, int first) {
        int end = Math.min(frames.length, first + MOST_FRAMES);
        out.u32(Math.max(0, end - first));
        for (int i = first; i < end; i++) {
            frame(out, frames[i]);
        }
    }

    private static void frame(FrameBuffer out, StackTraceElement frame) {
        out.text(frame.getClassName());
        out.text(frame.getMethodName());
        out.optionalText(frame.getFileName());
        int line = frame.getLineNumber();
        // -1 is the JDK's word for "unknown", -2 for a native method.
        boolean known = line != -1;
        out.u8(known ? 1 : 0);
        if (known) {
            out.u32(line);
        }
    }

    private static void minimal(FrameBuffer out, Throwable thrown) {
        out.u32(1);
        out.text(thrown == null ? "java.lang.Throwable" : thrown.getClass().getName());
        out.u8(0);
        out.u32(0);
    }

    private static String messageOf(Throwable thrown) {
        try {
            return thrown.getLocalizedMessage();
        } catch (Throwable badMessage) {
            return "(its message could not be read: " + badMessage.getClass().getName() + ")";
        }
    }

    private static StackTraceElement[] stackOf(Throwable thrown) {
        try {
            StackTraceElement[] frames = thrown.getStackTrace();
            return frames == null ? new StackTraceElement[0] : frames;
        } catch (Throwable badStack) {
            return new StackTraceElement[0];
        }
    }

    private static Throwable causeOf(Throwable thrown) {
        try {
            return thrown.getCause();
        } catch (Throwable badCause) {
            return null;
        }
    }

    private static boolean contains(Throwable[] written, int count, Throwable thrown) {
        for (int i = 0; i < count; i++) {
            if (written[i] == thrown) {
                return true;
            }
        }
        return false;
    }
}
