package residue.maven;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.execution.MojoExecutionEvent;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.collection.CollectRequest;
import org.eclipse.aether.graph.Dependency;
import org.eclipse.aether.resolution.ArtifactResult;
import org.eclipse.aether.resolution.DependencyRequest;
import org.eclipse.aether.resolution.DependencyResolutionException;

/**
 * The jars of the JUnit Platform that a project need not declare because Surefire adds them: the
 * launcher, and for newer versions of Surefire the engines that go with the project's test APIs.
 */
final class PlatformJars {
    private static final String LAUNCHER = "org.junit.platform:junit-platform-launcher";
    private static final String PLATFORM_ENGINE = "org.junit.platform:junit-platform-engine";
    private static final String PLATFORM_COMMONS = "org.junit.platform:junit-platform-commons";
    private static final String JUPITER_API = "org.junit.jupiter:junit-jupiter-api";
    private static final String JUPITER_ENGINE = "org.junit.jupiter:junit-jupiter-engine";
    private static final String VINTAGE_ENGINE = "org.junit.vintage:junit-vintage-engine";

    private final MojoExecutionEvent event;
    private final RepositorySystem repositories;
    private final Map<String, String> present = new LinkedHashMap<>();
    private final Map<String, String> wanted = new LinkedHashMap<>();

    PlatformJars(MojoExecutionEvent event, RepositorySystem repositories) {
        this.event = event;
        this.repositories = repositories;
        for (Artifact artifact : event.getProject().getArtifacts()) {
            present.put(artifact.getGroupId() + ":" + artifact.getArtifactId(), artifact.getBaseVersion());
        }
    }

    /** Paths to append to the class path. */
    List<String> missing() throws DependencyResolutionException {
        wantEnginesOfThePlugin();
        wantEnginesOfTheApis();
        boolean platform = present.containsKey(PLATFORM_ENGINE) || !wanted.isEmpty();
        if (platform && !present.containsKey(LAUNCHER) && !wanted.containsKey(LAUNCHER)) {
            String version = platformVersion();
            if (version != null) {
                wanted.put(LAUNCHER, version);
            }
        }
        return wanted.isEmpty() ? new ArrayList<>() : resolve();
    }

    private void wantEnginesOfThePlugin() {
        for (org.apache.maven.model.Dependency dependency : event.getExecution().getPlugin().getDependencies()) {
            String group = dependency.getGroupId();
            boolean platform = "org.junit.platform".equals(group)
                    && !"junit-platform-surefire-provider".equals(dependency.getArtifactId());
            if (platform || "org.junit.jupiter".equals(group) || "org.junit.vintage".equals(group)) {
                want(group + ":" + dependency.getArtifactId(), dependency.getVersion());
            }
        }
    }

    private void wantEnginesOfTheApis() {
        String surefire = event.getExecution().getVersion();
        String jupiter = present.get(JUPITER_API);
        if (jupiter != null && addsEngines(surefire)) {
            want(JUPITER_ENGINE, jupiter);
            if (present.containsKey("junit:junit") && addsVintage(surefire)) {
                want(VINTAGE_ENGINE, jupiter);
            }
        }
    }

    private void want(String artifact, String version) {
        if (!present.containsKey(artifact)) {
            wanted.put(artifact, version);
        }
    }

    static boolean addsEngines(String surefire) {
        return !surefire.matches("[012]\\..*|3\\.0\\.0-M[123]");
    }

    static boolean addsVintage(String surefire) {
        return addsEngines(surefire) && !surefire.matches("3\\.[0-5](\\..*)?");
    }

    private String platformVersion() {
        for (String artifact : new String[] {PLATFORM_ENGINE, PLATFORM_COMMONS}) {
            if (present.containsKey(artifact)) {
                return present.get(artifact);
            }
        }
        // Jupiter 5.x stands on Platform 1.x; from 6 on they share one version.
        for (String artifact : new String[] {JUPITER_ENGINE, VINTAGE_ENGINE}) {
            String version = wanted.get(artifact);
            if (version != null) {
                return version.startsWith("5.") ? "1." + version.substring(2) : version;
            }
        }
        return null;
    }

    private List<String> resolve() throws DependencyResolutionException {
        CollectRequest collect = new CollectRequest();
        collect.setRepositories(event.getProject().getRemoteProjectRepositories());
        for (Map.Entry<String, String> artifact : wanted.entrySet()) {
            String coordinates = artifact.getKey() + ":" + artifact.getValue();
            collect.addDependency(new Dependency(new DefaultArtifact(coordinates), "runtime"));
        }
        List<String> files = new ArrayList<>();
        DependencyRequest request = new DependencyRequest(collect, null);
        for (ArtifactResult result :
                repositories.resolveDependencies(event.getSession().getRepositorySession(), request)
                        .getArtifactResults()) {
            org.eclipse.aether.artifact.Artifact artifact = result.getArtifact();
            if (!present.containsKey(artifact.getGroupId() + ":" + artifact.getArtifactId())) {
                files.add(artifact.getFile().getPath());
            }
        }
        return files;
    }
}
