package residue.runner.wire;

/**
 * The bytes of one frame. Allocated at start and reused, so that reporting an event needs no memory
 * unless the event is unusually long.
 */
final class FrameBuffer {
    private static final int HEADER = 4;

    private byte[] bytes = new byte[64 << 10];
    private int length;

    void start(int kind) {
        length = HEADER;
        u8(kind);
    }

    /** Fills in the length; the frame is then {@link #bytes()} up to {@link #length()}. */
    void finish() {
        putInt(0, length - HEADER);
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    /** Forgets what was written after {@code mark}, an earlier {@link #length()}. */
    void truncate(int mark) {
        length = mark;
    }

    void u8(int value) {
        reserve(1);
        bytes[length++] = (byte) value;
    }

    void u32(int value) {
        reserve(4);
        putInt(length, value);
        length += 4;
    }

    void u64(long value) {
        u32((int) (value >>> 32));
        u32((int) value);
    }

    /** Overwrites a number that was written at {@code position}. */
    void patch(int position, int value) {
        putInt(position, value);
    }

    void text(String text) {
        text(text, text.length());
    }

    /** Writes the first {@code count} characters. A lone surrogate, which UTF-8 cannot say, becomes '?'. */
    void text(String text, int count) {
        reserve(4 + 3 * count);
        int start = length;
        length += 4;
        for (int i = 0; i < count; i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                bytes[length++] = (byte) c;
            } else if (c < 0x800) {
                bytes[length++] = (byte) (0xC0 | c >> 6);
                continuation(c);
            } else if (!Character.isSurrogate(c)) {
                bytes[length++] = (byte) (0xE0 | c >> 12);
                continuation(c >> 6);
                continuation(c);
            } else if (i + 1 < count && Character.isSurrogatePair(c, text.charAt(i + 1))) {
                int point = Character.toCodePoint(c, text.charAt(++i));
                bytes[length++] = (byte) (0xF0 | point >> 18);
                continuation(point >> 12);
                continuation(point >> 6);
                continuation(point);
            } else {
                bytes[length++] = '?';
            }
        }
        putInt(start, length - start - 4);
    }

    private void continuation(int bits) {
        bytes[length++] = (byte) (0x80 | bits & 0x3F);
    }

    void optionalText(String textOrNull) {
        u8(textOrNull == null ? 0 : 1);
        if (textOrNull != null) {
            text(textOrNull);
        }
    }

    private void putInt(int position, int value) {
        bytes[position] = (byte) (value >>> 24);
        bytes[position + 1] = (byte) (value >>> 16);
        bytes[position + 2] = (byte) (value >>> 8);
        bytes[position + 3] = (byte) value;
    }

    private void reserve(int count) {
        int needed = length + count;
        if (needed > bytes.length) {
            byte[] larger = new byte[Math.max(needed, 2 * bytes.length)];
            System.arraycopy(bytes, 0, larger, 0, length);
            bytes = larger;
        }
    }
}
