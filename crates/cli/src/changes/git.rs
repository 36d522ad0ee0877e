//! Asks git.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use residue_change::{BadDiff, ChangedFile, Kind, kind_of, parse_diff, parse_untracked};

/// Why git could not tell what changed.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    #[error("cannot run `git`, which knows what changed: {0}; is it installed?")]
    NotThere(io::Error),
    #[error(
        "{} is in no git repository, so nobody knows what changed since `{revision}`; \
         `residue select` without --changed-since compares with the last traced run",
        project.display()
    )]
    NoRepository { project: PathBuf, revision: String },
    #[error("the repository {} has no revision `{revision}`{}", root.display(), hint(*shallow))]
    UnknownRevision { root: PathBuf, revision: String, shallow: bool },
    #[error("`git {command}` failed: {said}")]
    Failed { command: String, said: String },
    #[error(transparent)]
    Unreadable(#[from] BadDiff),
}

fn hint(shallow: bool) -> &'static str {
    if shallow {
        ": it is a shallow clone, so fetch what is missing (`git fetch --unshallow`, or \
         `fetch-depth: 0` in a checkout step)"
    } else {
        ": `git log --oneline` shows what there is"
    }
}

/// A repository, and a commit in it to compare with.
#[derive(Debug)]
pub struct Repository {
    root: PathBuf,
    commit: String,
}

impl Repository {
    /// The repository that a project is in, compared with this revision.
    pub fn since(project: &Path, revision: &str) -> Result<Self, GitError> {
        let output = run(project, &["rev-parse", "--show-toplevel"])?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(if said.contains("not a git repository") {
                GitError::NoRepository { project: project.into(), revision: revision.into() }
            } else {
                failed("rev-parse --show-toplevel", &output)
            });
        }
        let root = PathBuf::from(text(&output.stdout));
        let commit = format!("{revision}^{{commit}}");
        let output = run(&root, &["rev-parse", "--verify", "--quiet", &commit])?;
        // What begins with a dash is an option for git, and no revision.
        if !output.status.success() || revision.starts_with('-') {
            let shallow = run(&root, &["rev-parse", "--is-shallow-repository"])?;
            let shallow = text(&shallow.stdout) == "true";
            return Err(GitError::UnknownRevision { root, revision: revision.into(), shallow });
        }
        Ok(Self { root, commit: text(&output.stdout) })
    }

    /// Its folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Files that differ between the commit and the work tree, those that
    /// nobody has added included.
    pub fn changed(&self) -> Result<Vec<ChangedFile>, GitError> {
        let diff =
            self.ask(&["diff", "--name-status", "--no-renames", "-z", &self.commit, "--"])?;
        let untracked = self.ask(&["ls-files", "--others", "--exclude-standard", "-z"])?;
        let mut changed = parse_diff(&diff)?;
        changed.extend(parse_untracked(&untracked));
        changed.sort();
        Ok(changed)
    }

    /// Paths of all source files of the work tree.
    pub fn sources(&self) -> Result<Vec<String>, GitError> {
        let all = self.ask(&["ls-files", "--cached", "--others", "--exclude-standard", "-z"])?;
        let files = parse_untracked(&all).into_iter().map(|file| file.path);
        Ok(files.filter(|path| kind_of(path) == Kind::Source).collect())
    }

    /// What was in a file at the commit; nothing if it was not there.
    pub fn old_text(&self, path: &str) -> Option<String> {
        let output = run(&self.root, &["show", &format!("{}:{path}", self.commit)]).ok()?;
        let there = output.status.success();
        there.then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn ask(&self, args: &[&str]) -> Result<Vec<u8>, GitError> {
        let output = run(&self.root, args)?;
        match output.status.success() {
            true => Ok(output.stdout),
            false => Err(failed(&args.join(" "), &output)),
        }
    }
}

fn run(folder: &Path, args: &[&str]) -> Result<Output, GitError> {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(args);
    // Its words are looked at.
    command.env("LC_ALL", "C").output().map_err(GitError::NotThere)
}

fn failed(command: &str, output: &Output) -> GitError {
    GitError::Failed { command: command.into(), said: text(&output.stderr) }
}

fn text(output: &[u8]) -> String {
    String::from_utf8_lossy(output).trim_end().to_owned()
}
