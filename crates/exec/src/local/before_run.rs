//! The user's own command before each order, for state that we cannot reset.

use std::process::Command;

use residue_model::LaunchSpec;

use crate::ExecError;

/// Runs the command in the folder and environment of the tests, to its end.
pub(super) fn run(command: &str, launch: &LaunchSpec) -> Result<(), ExecError> {
    let mut shell = Command::new("/bin/sh");
    shell.arg("-c").arg(command).current_dir(&launch.working_dir);
    for (name, value) in &launch.environment {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    let output =
        shell.output().map_err(|source| ExecError::System { activity: "start a shell", source })?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].concat();
    Err(ExecError::BeforeRun {
        command: command.into(),
        ending: output.status.to_string(),
        output: String::from_utf8_lossy(&said).trim_end().into(),
    })
}
