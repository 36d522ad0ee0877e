//! What changes a fingerprint, and what must not.

#![allow(clippy::unwrap_used)] // helpers of tests may panic too

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use residue_model::{LaunchSpec, Provider, Selection, SuiteSpec};
use residue_store::{
    Digest, DigestCache, Fingerprint, FingerprintError, Learned, NoCache, Store, StoreError,
    Surroundings, fingerprint,
};
use tempfile::TempDir;

/// A project with a class folder, a jar, an agent and a JDK of its own.
struct Project {
    folder: TempDir,
    spec: SuiteSpec,
    surroundings: Surroundings,
}

impl Project {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_path_buf();
        let write = |path: &str, content: &str| {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        };
        write("target/classes/a/A.class", "class A");
        write("target/classes/a/B.class", "class B");
        write("lib/dep.jar", "jar content");
        write("lib/agent.jar", "agent content");
        write("jdk/bin/java", "launcher");
        write("jdk/release", "JAVA_VERSION=17");
        write("testng.xml", "<suite/>");
        let at = |path: &str| root.join(path);
        let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        let spec = SuiteSpec {
            name: ".".into(),
            launch: LaunchSpec {
                java: at("jdk/bin/java"),
                class_path: vec![at("target/classes"), at("lib/dep.jar"), at("no/such.jar")],
                jvm_args: vec![
                    "-Xmx1g".into(),
                    format!("-javaagent:{}", at("lib/agent.jar").display()),
                ],
                system_properties: vec![
                    pair("basedir", root.to_str().unwrap()),
                    pair("mode", "fast"),
                ],
                environment: vec![("HOME_URL".into(), None)],
                working_dir: root.clone(),
            },
            selection: Selection {
                classes: vec!["a.A".into(), "a.B".into()],
                groups: Some("fast".into()),
                excluded_groups: None,
                provider: Provider::Auto,
                platform_parameters: vec![pair("p", "1")],
                listeners: vec!["a.Listener".into()],
                testng_suites: vec![at("testng.xml")],
            },
            surefire_takes_orders: false,
            jvm_per_class: false,
        };
        let surroundings = Surroundings::new(&root, b"runner", []);
        Self { folder, spec, surroundings }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn taken(&self) -> Fingerprint {
        self.taken_with(&mut NoCache)
    }

    fn taken_with(&self, cache: &mut dyn DigestCache) -> Fingerprint {
        fingerprint(&self.spec, &self.surroundings, cache).unwrap()
    }
}

#[test]
fn each_thing_that_tests_run_with_changes_it() {
    type Change = fn(&mut Project);
    let changes: [(&str, Change); 22] = [
        ("a class file", |p| fs::write(p.at("target/classes/a/A.class"), "class a").unwrap()),
        ("a new file", |p| fs::write(p.at("target/classes/x.txt"), "").unwrap()),
        ("a renamed file", |p| {
            fs::rename(p.at("target/classes/a/B.class"), p.at("target/classes/a/C.class")).unwrap();
        }),
        ("a removed file", |p| fs::remove_file(p.at("target/classes/a/B.class")).unwrap()),
        ("a jar", |p| fs::write(p.at("lib/dep.jar"), "JAR content").unwrap()),
        ("a jar that appears", |p| {
            fs::create_dir(p.at("no")).unwrap();
            fs::write(p.at("no/such.jar"), "now it exists").unwrap();
        }),
        ("class path order", |p| p.spec.launch.class_path.swap(0, 1)),
        ("an agent", |p| fs::write(p.at("lib/agent.jar"), "other agent").unwrap()),
        ("a JVM argument", |p| p.spec.launch.jvm_args.push("-ea".into())),
        ("a property", |p| p.spec.launch.system_properties[1].1 = "slow".into()),
        ("a variable", |p| p.spec.launch.environment[0].1 = Some(String::new())),
        ("the working directory", |p| p.spec.launch.working_dir = p.at("lib")),
        ("the JDK", |p| fs::write(p.at("jdk/release"), "JAVA_VERSION=25").unwrap()),
        ("the classes", |p| p.spec.selection.classes.reverse()),
        ("the groups", |p| p.spec.selection.groups = None),
        ("the excluded groups", |p| p.spec.selection.excluded_groups = Some("fast".into())),
        ("the provider", |p| p.spec.selection.provider = Provider::JUnit4),
        ("a platform parameter", |p| p.spec.selection.platform_parameters.clear()),
        ("a listener", |p| p.spec.selection.listeners.clear()),
        ("a TestNG suite file", |p| fs::write(p.at("testng.xml"), "<suite name='x'/>").unwrap()),
        ("the runner", |p| p.surroundings = Surroundings::new(p.folder.path(), b"newer", [])),
        ("the time zone", |p| {
            let zone = [("TZ".to_owned(), "UTC".to_owned())];
            p.surroundings = Surroundings::new(p.folder.path(), b"runner", zone);
        }),
    ];
    for (what, change) in changes {
        let mut project = Project::new();
        let before = project.taken();
        assert_eq!(project.taken(), before, "not the same twice");
        change(&mut project);
        assert_ne!(project.taken(), before, "{what} went unnoticed");
    }
}

#[test]
fn where_the_project_is_and_how_its_build_sorts_properties_does_not_change_it() {
    let one = Project::new();
    let mut two = Project::new();
    assert_ne!(one.folder.path(), two.folder.path());
    // The agent's argument is inside the project here, so it moves along.
    assert_eq!(one.taken(), two.taken());
    two.spec.launch.system_properties.reverse();
    two.spec.name = "renamed".into();
    assert_eq!(one.taken(), two.taken());
}

#[test]
fn of_two_properties_with_one_key_the_later_wins_so_their_order_counts() {
    let mut project = Project::new();
    let pair = |value: &str| ("mode".to_owned(), value.to_owned());
    project.spec.launch.system_properties = vec![pair("a"), pair("b")];
    let before = project.taken();
    project.spec.launch.system_properties.reverse();
    assert_ne!(project.taken(), before);
}

#[test]
fn our_own_folder_on_the_class_path_does_not_change_it() {
    let mut project = Project::new();
    let root = project.folder.path().to_path_buf();
    project.spec.launch.class_path.push(root.clone());
    let before = project.taken();
    let mut store = Store::open(&root.join(".residue")).unwrap();
    assert_eq!(project.taken_with(&mut store), before);
    assert_eq!(project.taken_with(&mut store), before);
}

#[test]
fn the_time_of_the_build_in_a_manifest_does_not_change_it() {
    let project = Project::new();
    let folder = project.at("target/classes/META-INF");
    fs::create_dir_all(&folder).unwrap();
    let with = |title: &str, time: u64| {
        let text =
            format!("Manifest-Version: 1.0\r\nBnd-LastModified: {time}\r\nTitle: {title}\r\n");
        fs::write(folder.join("MANIFEST.MF"), text).unwrap();
        project.taken()
    };
    assert_eq!(with("a", 1), with("a", 2));
    assert_ne!(with("a", 1), with("b", 1));
}

#[test]
fn links_that_go_round_in_circles_end() {
    let project = Project::new();
    let classes = project.at("target/classes");
    std::os::unix::fs::symlink(&classes, classes.join("again")).unwrap();
    project.taken();
}

#[test]
fn a_class_path_entry_that_cannot_be_read_is_named() {
    let mut project = Project::new();
    // A path through a file is an error for everybody, root included.
    let entry = project.at("lib/dep.jar/inside.jar");
    project.spec.launch.class_path.push(entry.clone());
    let error = fingerprint(&project.spec, &project.surroundings, &mut NoCache).unwrap_err();
    assert!(
        matches!(&error, FingerprintError::Unreadable { path, .. } if *path == entry),
        "{error}"
    );
}

/// Counts what it is asked and told, and remembers through a real store.
struct Watched {
    store: Store,
    found: std::cell::Cell<usize>,
    learned: usize,
}

impl DigestCache for Watched {
    fn recall(&self, path: &str, stamp: &str) -> Result<Option<Digest>, StoreError> {
        let digest = self.store.recall(path, stamp)?;
        self.found.set(self.found.get() + usize::from(digest.is_some()));
        Ok(digest)
    }
    fn remember(&mut self, learned: &[Learned]) -> Result<(), StoreError> {
        self.learned += learned.len();
        self.store.remember(learned)
    }
}

#[test]
fn a_settled_jar_is_read_once_and_a_changed_one_again() {
    let project = Project::new();
    let store = Store::in_memory().unwrap();
    let mut cache = Watched { store, found: 0.into(), learned: 0 };
    let fresh = project.taken_with(&mut cache);
    assert_eq!(cache.learned, 0, "a file just written may change within its time stamp");

    std::thread::sleep(Duration::from_millis(2200));
    assert_eq!(project.taken_with(&mut cache), fresh);
    let files = cache.learned;
    assert_eq!(files, 3, "jar, agent and TestNG suite");
    assert_eq!(cache.found.get(), 0);
    assert_eq!(project.taken_with(&mut cache), fresh);
    assert_eq!((cache.found.get(), cache.learned), (files, files));

    // Same size, and the old modification time put back.
    let jar = project.at("lib/dep.jar");
    let modified = fs::metadata(&jar).unwrap().modified().unwrap();
    fs::write(&jar, "JAR content").unwrap();
    fs::File::options().write(true).open(&jar).unwrap().set_modified(modified).unwrap();
    let changed = project.taken_with(&mut cache);
    assert_ne!(changed, fresh);
    assert_eq!(changed, project.taken());
}

#[test]
fn a_hundred_megabytes_of_jars_take_well_under_a_second() {
    let mut project = Project::new();
    let block: Vec<u8> =
        (0..10_000_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for nth in 0..10 {
        let jar = project.at(&format!("lib/{nth}.jar"));
        fs::write(&jar, &block).unwrap();
        project.spec.launch.class_path.push(jar);
    }
    let started = Instant::now();
    project.taken();
    let took = started.elapsed();
    assert!(took < Duration::from_secs(1), "{took:?}");
    println!("100 MB in {took:?}");
}

#[test]
fn a_fingerprint_is_read_as_it_is_written() {
    let taken = Project::new().taken();
    assert_eq!(Fingerprint::from_hex(&taken.to_string()), Some(taken));
    assert!(taken.to_string().starts_with(&taken.short()));
    assert_eq!(Fingerprint::from_hex("a"), None);
}
