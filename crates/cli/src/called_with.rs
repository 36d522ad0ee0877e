//! How the user called the program, for the commands that reports suggest.

use std::path::Path;

use residue_report::CalledWith;

use crate::args::{ExecArgs, ProjectArgs};
use crate::settings::BuildSettings;

pub fn called_with(
    project: &ProjectArgs,
    settings: BuildSettings,
    exec: Option<&ExecArgs>,
) -> CalledWith {
    let class_path = project.classpath.iter().map(|path| ("classpath", path.clone()));
    let test_classes = project.test_classes.iter().map(|folder| ("test-classes", text(folder)));
    let exec = exec.map(exec_options).unwrap_or_default();
    CalledWith {
        project: (project.project != Path::new(".")).then(|| text(&project.project)),
        suites: project.suites.clone(),
        build_args: project.build_args.clone(),
        settled_build_args: settings.args,
        java_home: project.java_home.as_deref().map(text),
        options: class_path.chain(test_classes).chain(exec).collect(),
    }
}

/// What decides outcomes, or which stored runs count. Whether files are put back
/// is for each report to say: that may have turned out on the way.
fn exec_options(exec: &ExecArgs) -> Vec<(&'static str, String)> {
    let mut options: Vec<_> = exec.changed_limits().collect();
    options.extend(exec.before_run.iter().map(|command| ("before-run", command.clone())));
    options
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
