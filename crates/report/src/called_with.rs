//! Commands that reports suggest. They name the project and its build as the
//! user did, so that they work when they are pasted into the same shell.

/// What the user said about the project, its build and its JVMs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CalledWith {
    /// Folder of the project; nothing if it is the one where the user is.
    pub project: Option<String>,
    /// The suites that were asked for.
    pub suites: Vec<String>,
    /// Extra arguments for the build.
    pub build_args: Vec<String>,
    /// Those that the project always has: the program knows them, the build does not.
    pub settled_build_args: Vec<String>,
    /// The JDK to use.
    pub java_home: Option<String>,
    /// Other options with which every command that runs tests must be called.
    pub options: Vec<(&'static str, String)>,
}

impl CalledWith {
    /// A command that only looks at what is stored, `show r1`.
    pub fn looking(&self, command: &str) -> String {
        format!("residue {command}{}", words(self.project.iter().cloned()))
    }

    /// A command about something stored that is run again, `replay f1`: which
    /// suite it is of is stored too.
    pub fn again(&self, command: &str) -> String {
        let option = |(name, value): (&'static str, &String)| format!("--{name}={value}");
        let build_args = self.build_args.iter().map(|value| ("build-arg", value));
        let java_home = self.java_home.iter().map(|value| ("java-home", value));
        let others = self.options.iter().map(|(name, value)| (*name, value));
        let options = build_args.chain(java_home).chain(others).map(option);
        self.looking(command) + &words(options)
    }

    /// A command about whole suites, `run --reverse`.
    pub fn running(&self, command: &str) -> String {
        self.again(command) + &words(self.suites.iter().map(|suite| format!("--suite={suite}")))
    }

    /// `mvn` on the same project.
    pub(crate) fn maven(&self, arguments: &str) -> String {
        let java_home = self.java_home.iter().map(|home| format!("JAVA_HOME={} ", word(home)));
        let folder = self.project.iter().flat_map(|project| ["-f".to_owned(), project.clone()]);
        format!(
            "{}mvn{} {arguments}{}",
            java_home.collect::<String>(),
            words(folder),
            words(self.settled_build_args.iter().chain(&self.build_args).cloned())
        )
    }
}

fn words(words: impl Iterator<Item = String>) -> String {
    words.map(|text| format!(" {}", word(&text))).collect()
}

/// One word of a POSIX shell, in quotes if it needs them.
fn word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:,+@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) { text.into() } else { quoted(text) }
}

/// For a POSIX shell.
pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_the_folder_of_the_project_a_command_is_as_short_as_can_be() {
        let here = CalledWith::default();
        assert_eq!(here.running("run --reverse"), "residue run --reverse");
        assert_eq!(here.maven("test"), "mvn test");
    }

    #[test]
    fn suggested_commands_leave_out_neither_the_project_nor_how_it_is_built() {
        let elsewhere = CalledWith {
            project: Some("my shop".into()),
            suites: vec!["core".into()],
            build_args: vec!["-Pfast".into(), "-Dname=it's".into()],
            settled_build_args: vec!["-o".into()],
            java_home: Some("/opt/jdk 17".into()),
            options: vec![("before-run", "make db".into())],
        };
        assert_eq!(elsewhere.looking("show r1"), "residue show r1 'my shop'");
        let again = "residue replay f1 'my shop' --build-arg=-Pfast '--build-arg=-Dname=it'\\''s' \
                     '--java-home=/opt/jdk 17' '--before-run=make db'";
        assert_eq!(elsewhere.again("replay f1"), again);
        let running = again.replace("replay f1", "run --reverse") + " --suite=core";
        assert_eq!(elsewhere.running("run --reverse"), running);
        let maven = "JAVA_HOME='/opt/jdk 17' mvn -f 'my shop' test -o -Pfast '-Dname=it'\\''s'";
        assert_eq!(elsewhere.maven("test"), maven);
    }
}
