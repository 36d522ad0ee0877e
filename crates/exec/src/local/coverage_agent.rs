//! JaCoCo's agent, if the build has it.
//!
//! It stays, since it changes classes and tests may notice. But it adds what a
//! JVM ran to a file in the project, which then grows with every run and tells
//! of orders that the build never ran; so that file goes elsewhere.

use std::borrow::Cow;
use std::path::Path;

const OPTION: &str = "-javaagent:";
const FILE: &str = "destfile=";

/// The argument for a JVM whose private folder is `folder`.
pub(super) fn writing_into<'a>(argument: &'a str, folder: &Path) -> Cow<'a, str> {
    let Some(agent) = argument.strip_prefix(OPTION) else { return argument.into() };
    let (jar, options) = agent.split_once('=').unwrap_or((agent, ""));
    let is_jacoco = Path::new(jar)
        .file_name()
        .is_some_and(|name| name.to_string_lossy().to_lowercase().contains("jacoco"));
    if !is_jacoco {
        return argument.into();
    }
    let others = options.split(',').filter(|one| !one.is_empty() && !one.starts_with(FILE));
    let file = format!("{FILE}{}", folder.join("jacoco.exec").display());
    let options: Vec<&str> = std::iter::once(file.as_str()).chain(others).collect();
    format!("{OPTION}{jar}={}", options.join(",")).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(argument: &str) -> String {
        writing_into(argument, Path::new("/scratch")).into_owned()
    }

    #[test]
    fn what_jacoco_writes_is_not_left_in_the_project() {
        let jar = "-javaagent:/m2/org.jacoco.agent-0.8.12-runtime.jar";
        let elsewhere = format!("{jar}=destfile=/scratch/jacoco.exec");
        assert_eq!(changed(jar), elsewhere);
        assert_eq!(changed(&format!("{jar}=destfile=/p/target/jacoco.exec")), elsewhere);
        assert_eq!(
            changed(&format!("{jar}=excludes=a.*,destfile=/p/it.exec,append=true")),
            format!("{elsewhere},excludes=a.*,append=true")
        );
    }

    #[test]
    fn other_arguments_are_as_the_build_has_them() {
        for argument in
            ["-javaagent:/m2/mockito-core.jar", "-javaagent:/a.jar=destfile=b", "-Xmx1g"]
        {
            assert_eq!(changed(argument), argument);
        }
    }
}
