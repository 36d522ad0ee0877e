package residue.runner.wire;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import residue.runner.Framework;
import residue.runner.Item;
import residue.runner.Setup;
import residue.runner.StandIns;
import residue.runner.StatePath;

/** Reads what the host asks: one configuration, then one command. */
public final class CommandReader {
    private static final byte[] PREAMBLE = {'R', 'S', 'D', 'U', 0, 3};
    private static final Setup.Provider[] PROVIDERS = Setup.Provider.values();
    private static final Framework[] FRAMEWORKS = Framework.values();

    private final DataInputStream pipe;

    public CommandReader(InputStream pipe) {
        this.pipe = new DataInputStream(pipe);
    }

    /** @return null if the host closed the pipe first */
    public Setup readSetup() throws IOException {
        byte[] preamble = new byte[PREAMBLE.length];
        try {
            pipe.readFully(preamble);
        } catch (EOFException closed) {
            return null;
        }
        if (!java.util.Arrays.equals(preamble, PREAMBLE)) {
            throw new IOException("the host speaks another version of the protocol");
        }
        ByteBuffer frame = readFrame();
        if (frame == null) {
            return null;
        }
        expect(frame.get() == 1, "the first command is not a configuration");
        String classPath = text(frame);
        Map<String, String> properties = pairs(frame);
        Setup.Provider provider = PROVIDERS[frame.get()];
        String groups = optionalText(frame);
        String excludedGroups = optionalText(frame);
        Map<String, String> parameters = pairs(frame);
        List<String> listeners = texts(frame);
        String mark = text(frame);
        return new Setup(
                classPath, properties, provider, groups, excludedGroups, parameters, listeners, mark);
    }

    /** @return null if the host closed the pipe first */
    public Command readCommand() throws IOException {
        ByteBuffer frame = readFrame();
        if (frame == null) {
            return null;
        }
        byte kind = frame.get();
        expect(kind == 2 || kind == 3, "a command is neither a listing nor an order");
        if (kind == 2) {
            List<String> classes = texts(frame);
            return Command.list(classes, texts(frame));
        }
        int count = frame.getInt();
        List<Item> items = new ArrayList<Item>(count);
        for (int index = 0; index < count; index++) {
            Framework framework = FRAMEWORKS[frame.get()];
            String id = text(frame);
            items.add(new Item(index, id, framework, text(frame)));
        }
        StandIns standIns = standIns(frame);
        return Command.run(items, standIns, paths(frame));
    }

    private static StandIns standIns(ByteBuffer frame) {
        StandIns standIns = new StandIns();
        int puts = frame.getInt();
        for (int put = 0; put < puts; put++) {
            int before = frame.getInt();
            String className = text(frame);
            standIns.put(before, className, text(frame), content(frame));
        }
        int watched = frame.getInt();
        for (int field = 0; field < watched; field++) {
            int after = frame.getInt();
            String className = text(frame);
            standIns.watch(after, className, text(frame));
        }
        return standIns;
    }

    private static List<StatePath> paths(ByteBuffer frame) {
        int count = frame.getInt();
        List<StatePath> paths = new ArrayList<StatePath>(count);
        for (int number = 0; number < count; number++) {
            int before = frame.getInt();
            String className = optionalText(frame);
            String name = text(frame);
            StatePath path =
                    className == null
                            ? StatePath.property(before, name)
                            : StatePath.staticField(before, className, name);
            int steps = frame.getInt();
            for (int step = 0; step < steps; step++) {
                String owner = optionalText(frame);
                if (owner == null) {
                    int first = frame.getInt();
                    path.intoElements(first, frame.getInt());
                } else {
                    path.intoField(owner, text(frame));
                }
            }
            paths.add(path);
        }
        return paths;
    }

    private static FieldContent content(ByteBuffer frame) {
        char kind = (char) frame.get();
        if (kind == FieldContent.NULL) {
            return FieldContent.ofNull();
        }
        return kind == FieldContent.TEXT
                ? FieldContent.ofText(text(frame))
                : FieldContent.ofPrimitive(kind, frame.getLong());
    }

    private ByteBuffer readFrame() throws IOException {
        byte[] frame;
        try {
            frame = new byte[pipe.readInt()];
            pipe.readFully(frame);
        } catch (EOFException closed) {
            return null;
        }
        return ByteBuffer.wrap(frame);
    }

    private static String text(ByteBuffer frame) {
        int length = frame.getInt();
        int start = frame.position();
        // The cast keeps the byte code free of a return type that JDK 8 does not have.
        ((java.nio.Buffer) frame).position(start + length);
        return new String(frame.array(), start, length, StandardCharsets.UTF_8);
    }

    private static String optionalText(ByteBuffer frame) {
        return frame.get() == 0 ? null : text(frame);
    }

    private static List<String> texts(ByteBuffer frame) {
        int count = frame.getInt();
        List<String> texts = new ArrayList<String>(count);
        for (int i = 0; i < count; i++) {
            texts.add(text(frame));
        }
        return texts;
    }

    private static Map<String, String> pairs(ByteBuffer frame) {
        int count = frame.getInt();
        Map<String, String> pairs = new LinkedHashMap<String, String>();
        for (int i = 0; i < count; i++) {
            String name = text(frame);
            pairs.put(name, text(frame));
        }
        return pairs;
    }

    private static void expect(boolean condition, String otherwise) throws IOException {
        if (!condition) {
            throw new IOException(otherwise);
        }
    }
}
