//! Maven: `mvn test` with a core extension that writes down how Surefire would
//! start the tests, and keeps it from starting them.

mod invocation;
mod reactor;
mod recipe;

use std::path::{Path, PathBuf};

use residue_model::{BuildTool, Project};

use crate::build_output::BuildOutput;
use crate::{Answer, DiscoverError, DiscoverRequest, Discovered, chosen};
use invocation::{Maven, Scope};

pub(crate) fn discover(
    request: &DiscoverRequest,
    root: &Path,
    progress: &mut dyn FnMut(&str),
) -> Result<Answer, DiscoverError> {
    let mut maven = Maven::new(request, root)?;
    let mut run = maven.test(&Scope::of_modules(root, &request.modules), progress)?;
    let mut modules_beside = true;
    if run.needs_siblings()
        && let Some(reactor) = reactor::enclosing(root)
    {
        progress("needed modules are not installed; trying again from the enclosing build");
        run = maven.test(&Scope::of_module_in(&reactor, root), progress)?;
        modules_beside = false;
    }
    let complete = run.output.status.success();
    let mut warnings = maven.warnings;
    let mut suites = recipe::suites(root, &run.documents, &mut warnings)?;
    suites.retain(|suite| modules_beside || !suite.name.starts_with(".."));
    if suites.is_empty() && !complete {
        return Err(failure(&run));
    }
    if !complete {
        warnings.push(format!(
            "Maven failed for a part of {}; suites of the modules that failed are missing:\n{}",
            root.display(),
            excerpt(&run.output)
        ));
    }
    let suites = chosen(suites, root, &request.modules)?;
    let project = Project { root: root.to_path_buf(), build_tool: BuildTool::Maven, suites };
    Ok(Answer { discovered: Discovered { project, warnings }, complete })
}

/// One run of Maven.
struct MavenRun {
    folder: PathBuf,
    command: String,
    output: BuildOutput,
    documents: Vec<recipe::Document>,
}

impl MavenRun {
    /// Whether Maven missed artifacts that a module of the same build may be.
    fn needs_siblings(&self) -> bool {
        let complaints =
            ["Could not resolve dependencies", "Could not find artifact", "Non-resolvable"];
        !self.output.status.success()
            && self.documents.is_empty()
            && complaints.iter().any(|complaint| self.output.contains(complaint))
    }
}

fn failure(run: &MavenRun) -> DiscoverError {
    let jdk_complaints = [
        "No compiler is provided in this environment",
        "JAVA_HOME environment variable is not defined correctly",
        "JAVA_HOME is not defined correctly",
        "java: command not found",
        "java: not found",
    ];
    let complaint = jdk_complaints.iter().find(|complaint| run.output.contains(complaint));
    if let Some(complaint) = complaint {
        return DiscoverError::NoJdk { reason: format!("Maven says: {complaint}") };
    }
    DiscoverError::BuildFailed {
        project: run.folder.clone(),
        command: run.command.clone(),
        status: run.output.status.to_string(),
        output: excerpt(&run.output),
    }
}

/// Maven's error lines without its advice on how to see more of them.
fn excerpt(output: &BuildOutput) -> String {
    let advice = [
        "[ERROR] To see the full stack trace",
        "[ERROR] Re-run Maven using",
        "[ERROR] For more information about the errors",
        "[ERROR] [Help ",
        "[ERROR] After correcting the problems",
        "[ERROR]   mvn <args>",
    ];
    output.excerpt(|line| {
        let text = line.split(" -> [Help").next().unwrap_or(line).trim_end();
        let is_error = text.starts_with("[ERROR] ") || text.starts_with("[FATAL] ");
        (is_error && !advice.iter().any(|start| text.starts_with(start))).then_some(text)
    })
}
