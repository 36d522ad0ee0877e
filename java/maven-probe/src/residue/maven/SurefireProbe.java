package residue.maven;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import javax.inject.Inject;
import javax.inject.Named;
import javax.inject.Singleton;
import org.apache.maven.execution.MojoExecutionEvent;
import org.apache.maven.execution.MojoExecutionListener;
import org.apache.maven.plugin.Mojo;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.plugin.MojoExecutionException;
import org.eclipse.aether.RepositorySystem;

/**
 * Stands in front of Surefire: when Maven has configured {@code surefire:test} and is about to run
 * it, writes down how it would start the tests and makes it skip them.
 *
 * <p>The output is a file with one JSON document a line, one for each test execution of the build.
 * An execution that the build itself skips leaves no line.
 */
@Named
@Singleton
public final class SurefireProbe implements MojoExecutionListener {
    static final String OUTPUT_PROPERTY = "residue.probe.out";

    private final RepositorySystem repositories;

    @Inject
    public SurefireProbe(RepositorySystem repositories) {
        this.repositories = repositories;
    }

    @Override
    public void beforeMojoExecution(MojoExecutionEvent event) throws MojoExecutionException {
        String output = event.getSession().getUserProperties().getProperty(OUTPUT_PROPERTY);
        if (output == null || !isSurefireTest(event.getExecution())) {
            return;
        }
        Mirror mojo = new Mirror(event.getMojo());
        if (isSkippedByTheBuild(mojo)) {
            return;
        }
        try {
            append(new File(output), new SurefireReader(event, repositories).read());
        } catch (IOException e) {
            throw new MojoExecutionException("residue could not write " + output, e);
        } finally {
            skip(mojo, event.getMojo());
        }
    }

    @Override
    public void afterMojoExecutionSuccess(MojoExecutionEvent event) {}

    @Override
    public void afterExecutionFailure(MojoExecutionEvent event) {}

    private static boolean isSurefireTest(MojoExecution execution) {
        return "org.apache.maven.plugins".equals(execution.getGroupId())
                && "maven-surefire-plugin".equals(execution.getArtifactId())
                && "test".equals(execution.getGoal());
    }

    private static boolean isSkippedByTheBuild(Mirror mojo) {
        for (String flag : new String[] {"skip", "skipTests", "skipExec"}) {
            if (Boolean.TRUE.equals(mojo.get(flag))) {
                return true;
            }
        }
        return false;
    }

    private static void skip(Mirror mojo, Mojo named) throws MojoExecutionException {
        boolean set = mojo.set("skipTests", true) | mojo.set("skipExec", true);
        if (!set) {
            throw new MojoExecutionException("residue cannot keep " + named + " from running tests", null);
        }
    }

    private synchronized void append(File output, Map<String, Object> document) throws IOException {
        String line = Json.write(document) + "\n";
        try (OutputStream stream = new FileOutputStream(output, true)) {
            stream.write(line.getBytes(StandardCharsets.UTF_8));
        }
    }
}
