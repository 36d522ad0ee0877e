package residue.runner;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;

/** The JUnit Platform engines that the class path declares. Loads none of them. */
final class Engines {
    private static final String SERVICE = "META-INF/services/org.junit.platform.engine.TestEngine";
    private static final String VINTAGE = "org.junit.vintage.engine.VintageTestEngine";

    static final Engines NONE = new Engines(new ArrayList<String>());

    private final int vintage;
    private final boolean others;

    private Engines(List<String> names) {
        vintage = names.indexOf(VINTAGE);
        others = names.size() > (vintage >= 0 ? 1 : 0);
    }

    static Engines on(ClassLoader loader) throws IOException {
        List<String> names = new ArrayList<String>();
        Enumeration<URL> files = loader.getResources(SERVICE);
        while (files.hasMoreElements()) {
            readNames(files.nextElement(), names);
        }
        return new Engines(names);
    }

    boolean hasVintage() {
        return vintage >= 0;
    }

    boolean hasOthers() {
        return others;
    }

    boolean vintageComesFirst() {
        return vintage == 0;
    }

    private static void readNames(URL file, List<String> names) throws IOException {
        URLConnection connection = file.openConnection();
        // A cached connection would keep the jar open under the feet of the suite.
        connection.setUseCaches(false);
        InputStream stream = connection.getInputStream();
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int comment = line.indexOf('#');
                String name = (comment < 0 ? line : line.substring(0, comment)).trim();
                if (!name.isEmpty() && !names.contains(name)) {
                    names.add(name);
                }
            }
        } finally {
            lines.close();
        }
    }
}
