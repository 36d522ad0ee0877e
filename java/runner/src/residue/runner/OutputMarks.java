package residue.runner;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes into standard output and error where a test begins and ends, so that the host can tell
 * whose output is whose. Made before any test can replace or close the streams; what a test prints
 * into streams of its own is not our concern.
 */
final class OutputMarks {
    private static final byte RECORD_SEPARATOR = 0x1e;

    private final PrintStream systemOut = System.out;
    private final PrintStream systemErr = System.err;
    private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);
    private final FileOutputStream err = new FileOutputStream(FileDescriptor.err);
    private final byte[] mark;
    private final int prefixLength;

    OutputMarks(String text) {
        byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
        prefixLength = ascii.length + 2;
        mark = new byte[prefixLength + 12];
        mark[0] = RECORD_SEPARATOR;
        System.arraycopy(ascii, 0, mark, 1, ascii.length);
        mark[prefixLength - 1] = ':';
    }

    void begin(int index) {
        write(index, 'b');
    }

    void end(int index) {
        write(index, 'e');
    }

    private synchronized void write(int index, char kind) {
        int length = prefixLength + putDecimal(index);
        mark[length++] = (byte) kind;
        mark[length++] = '\n';
        write(systemOut, out, length);
        write(systemErr, err, length);
    }

    private void write(PrintStream stream, FileOutputStream file, int length) {
        try {
            stream.flush();
            file.write(mark, 0, length);
        } catch (IOException closedByATest) {
            // Its output can no longer be told apart, because there is none.
        }
    }

    private int putDecimal(int number) {
        int digits = 1;
        for (int rest = number / 10; rest > 0; rest /= 10) {
            digits++;
        }
        int rest = number;
        for (int at = prefixLength + digits - 1; at >= prefixLength; at--) {
            mark[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return digits;
    }
}
