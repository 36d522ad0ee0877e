//! The tracing agent as a JVM finds it: a library, its hook classes, and the
//! rules about what is not tracked.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::jdk::Jdk;
use super::launcher::write_whole;
use super::options::Captures;
use crate::ExecError;

/// Hook classes are part of `java.base`, and there are modules since 9; the
/// first release that anybody still runs tests on is 11.
const OLDEST_JDK: u32 = 11;

/// Where a traced JVM writes its trace, in its private folder.
const TRACE_FILE: &str = "trace";

#[derive(Debug)]
pub(super) struct Agent {
    library: PathBuf,
    pub(super) folder: PathBuf,
    hook: PathBuf,
    rules: PathBuf,
    captures: Option<Captures>,
    code: Vec<PathBuf>,
}

impl Agent {
    /// Writes library and classes to where they can stay, or else to the
    /// scratch folder, and the rules to the latter.
    pub(super) fn unpack(
        jdk: &Jdk,
        rules: &str,
        cache: Option<&Path>,
        scratch: &Path,
    ) -> Result<Self, ExecError> {
        if !jdk.hotspot || jdk.feature < OLDEST_JDK {
            let java = jdk.java.clone();
            return Err(ExecError::CannotTrace { java, feature: jdk.feature });
        }
        let name = format!("agent-{}", agent_digest());
        let kept = cache.and_then(|cache| unpack_into(&cache.join(&name)).ok());
        let folder = match kept {
            Some(folder) => folder,
            None => unpack_into(&scratch.join(&name))
                .map_err(|source| ExecError::Scratch { path: scratch.join(&name), source })?,
        };
        let rules_file = scratch.join("rules");
        write_whole(&rules_file, rules.as_bytes())
            .map_err(|source| ExecError::Scratch { path: rules_file.clone(), source })?;
        let (library, hook) = (folder.join(LIBRARY), folder.join(HOOK));
        Ok(Self { library, folder, hook, rules: rules_file, captures: None, code: Vec::new() })
    }

    /// The same, looking for what is left changed.
    pub(super) fn comparing(self, captures: Option<Captures>) -> Self {
        Self { captures, ..self }
    }

    /// The same, telling which code runs of classes in these folders.
    pub(super) fn watching(self, code: Vec<PathBuf>) -> Self {
        Self { code, ..self }
    }

    /// The VM option that loads the agent, and the file it will write, for a
    /// JVM with this private folder.
    pub(super) fn option(&self, folder: &Path) -> (OsString, PathBuf) {
        let trace = folder.join(TRACE_FILE);
        let mut option = OsString::from("-agentpath:");
        option.push(&self.library);
        for (name, path) in [("=out=", &trace), (",hook=", &self.hook), (",rules=", &self.rules)] {
            option.push(name);
            option.push(escaped(path));
        }
        if let Some(captures) = self.captures {
            option.push(format!(",pollution={}", captures.as_str()));
        }
        for folder in &self.code {
            option.push(",code=");
            option.push(escaped(folder));
        }
        (option, trace)
    }
}

const LIBRARY: &str = "libresidue_agent.so";
const HOOK: &str = "hook";

/// Commas divide the agent's options.
fn escaped(path: &Path) -> OsString {
    match path.to_str() {
        Some(text) => text.replace('%', "%25").replace(',', "%2C").into(),
        None => path.into(),
    }
}

/// Stands for the agent with its hook classes and the library that watches
/// files: others may see other things.
pub fn agent_digest() -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(residue_agent_embed::AGENT_LIBRARY);
    hasher.update(residue_agent_embed::INTERPOSE_LIBRARY);
    hasher.update(residue_outside::DEFAULTS.as_bytes());
    for (_, bytes) in residue_java::HOOK_CLASSES {
        hasher.update(bytes);
    }
    hasher.finalize().to_hex()[..16].to_owned()
}

/// The library comes last: where it is whole, everything is.
fn unpack_into(folder: &Path) -> std::io::Result<PathBuf> {
    let library = folder.join(LIBRARY);
    let bytes = residue_agent_embed::AGENT_LIBRARY;
    if std::fs::metadata(&library).is_ok_and(|metadata| metadata.len() == bytes.len() as u64) {
        return Ok(folder.into());
    }
    for (name, class) in residue_java::HOOK_CLASSES {
        write_whole(&folder.join(HOOK).join(format!("{name}.class")), class)?;
    }
    write_whole(&library, bytes)?;
    Ok(folder.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jdk(feature: u32) -> Jdk {
        Jdk { java: "java".into(), feature, hotspot: true, identity: String::new() }
    }

    #[test]
    fn a_vm_that_cannot_be_traced_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let error = Agent::unpack(&jdk(8), "", None, folder.path()).unwrap_err();
        assert!(matches!(error, ExecError::CannotTrace { feature: 8, .. }), "{error}");
    }

    #[test]
    fn commas_in_paths_do_not_end_an_option() {
        let folder = tempfile::tempdir().unwrap();
        let agent = Agent::unpack(&jdk(17), "", None, folder.path()).unwrap();
        let (option, trace) = agent.option(Path::new("/a,b"));
        assert!(option.to_str().unwrap().contains("=out=/a%2Cb/trace,hook="));
        assert_eq!(trace, Path::new("/a,b/trace"));
    }

    #[test]
    fn what_was_unpacked_stays_and_is_used_again() {
        let (cache, scratch) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let unpack = || Agent::unpack(&jdk(17), "", Some(cache.path()), scratch.path()).unwrap();
        let first = unpack();
        assert!(first.library.starts_with(cache.path()));
        let written = std::fs::metadata(&first.library).unwrap().modified().unwrap();
        let second = unpack();
        assert_eq!(std::fs::metadata(&second.library).unwrap().modified().unwrap(), written);
        assert!(second.hook.join("java/lang/ResidueHook.class").is_file());
    }
}
