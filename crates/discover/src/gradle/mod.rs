//! Gradle: a task added by an init script does all that `test` depends on and
//! writes down how `test` would start the tests.

mod invocation;
mod recipe;
mod test_filter;

use std::cell::Cell;
use std::path::Path;

use residue_model::{BuildTool, Project};

use crate::build_output::BuildOutput;
use crate::{Answer, DiscoverError, DiscoverRequest, Discovered, chosen};
use invocation::Gradle;

pub(crate) fn discover(
    request: &DiscoverRequest,
    root: &Path,
    progress: &mut dyn FnMut(&str),
) -> Result<Answer, DiscoverError> {
    let mut gradle = Gradle::new(request, root)?;
    let run = gradle.probe(progress)?;
    let complete = run.output.status.success();
    let mut warnings = gradle.warnings;
    let suites = recipe::suites(root, run.documents, &mut warnings)?;
    if suites.is_empty() && !complete {
        return Err(failure(root, run.command, &run.output));
    }
    if !complete {
        warnings.push(format!(
            "Gradle failed for a part of {}; suites of the projects that failed are missing:\n{}",
            root.display(),
            excerpt(&run.output)
        ));
    }
    let suites = chosen(suites, root, &request.modules)?;
    let project = Project { root: root.to_path_buf(), build_tool: BuildTool::Gradle, suites };
    Ok(Answer { discovered: Discovered { project, warnings }, complete })
}

fn failure(root: &Path, command: String, output: &BuildOutput) -> DiscoverError {
    let jdk_complaints = [
        "JAVA_HOME is set to an invalid directory",
        "JAVA_HOME is not set and no 'java' command could be found",
        "Could not find tools.jar",
        "does not provide the required capabilities: [JAVA_COMPILER]",
    ];
    if let Some(complaint) = jdk_complaints.iter().find(|complaint| output.contains(complaint)) {
        return DiscoverError::NoJdk { reason: format!("Gradle says: {complaint}") };
    }
    DiscoverError::BuildFailed {
        project: root.to_path_buf(),
        command,
        status: output.status.to_string(),
        output: excerpt(output),
    }
}

/// Compiler errors, and what Gradle says went wrong without its advice.
fn excerpt(output: &BuildOutput) -> String {
    let explaining = Cell::new(false);
    output.excerpt(|line| {
        if line.starts_with("* ") {
            explaining.set(line.starts_with("* What went wrong") || line.starts_with("* Where"));
            return None;
        }
        let compiler = line.contains(": error:") || line.starts_with("e: ");
        (compiler || explaining.get() && !line.trim().is_empty()).then_some(line)
    })
}
