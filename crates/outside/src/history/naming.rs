//! Paths as everybody writes them, and as they are shown.

use std::collections::HashMap;

use crate::rules::Places;

/// Links that lead to links that lead to links.
const MOST_LINKS: usize = 16;

/// What has to be asked of the real file system, after the run.
pub trait FileSystem {
    /// A folder without links on the way; as far as it still exists.
    fn real_folder(&mut self, folder: &str) -> String;
    /// Where a symbolic link points to, as it is written in it.
    fn link_target(&mut self, path: &str) -> Option<String>;
}

pub(super) struct Names<'a> {
    places: &'a Places,
    file_system: &'a mut dyn FileSystem,
    real_folders: HashMap<String, String>,
    link_targets: HashMap<String, Option<String>>,
    /// Symbolic links that were made during the run.
    links: HashMap<String, String>,
}

impl<'a> Names<'a> {
    pub(super) fn new(places: &'a Places, file_system: &'a mut dyn FileSystem) -> Self {
        let (real_folders, link_targets) = (HashMap::new(), HashMap::new());
        Self { places, file_system, real_folders, link_targets, links: HashMap::new() }
    }

    /// The one way to write a path: from the root, without detours and without
    /// links to folders. A link at the end stays.
    pub(super) fn settled(&mut self, path: &[u8]) -> String {
        let mut path = simplified(&String::from_utf8_lossy(path));
        for _ in 0..MOST_LINKS {
            match self.through_link(&path) {
                Some(other) => path = other,
                None => break,
            }
        }
        let Some((folder, name)) = path.rsplit_once('/') else { return path };
        if !self.real_folders.contains_key(folder) {
            let real = self.file_system.real_folder(folder);
            self.real_folders.insert(folder.into(), real);
        }
        format!("{}/{name}", self.real_folders[folder].trim_end_matches('/'))
    }

    /// The path with the first link of this run on its way followed.
    fn through_link(&self, path: &str) -> Option<String> {
        if self.links.is_empty() {
            return None;
        }
        let slashes = path.match_indices('/').map(|(at, _)| at).skip(1);
        slashes.into_iter().find_map(|at| {
            let target = self.links.get(&path[..at])?;
            Some(simplified(&format!("{target}{}", &path[at..])))
        })
    }

    pub(super) fn add_link(&mut self, path: &str, target: &[u8]) {
        let target = beside(path, &String::from_utf8_lossy(target));
        self.links.insert(path.into(), target);
    }

    /// The name that a link at the end of a path stands for.
    pub(super) fn link_target(&mut self, path: &str) -> Option<String> {
        if let Some(target) = self.links.get(path) {
            return Some(target.clone());
        }
        if !self.link_targets.contains_key(path) {
            let target = self.file_system.link_target(path).map(|target| beside(path, &target));
            self.link_targets.insert(path.into(), target);
        }
        self.link_targets[path].clone()
    }

    /// The folders between the project, or the temporary folder, and a path.
    pub(super) fn folders_on_the_way(&self, path: &str) -> Vec<String> {
        let roots = [&self.places.project, &self.places.temp];
        let root = roots.into_iter().find(|root| inside(path, root).is_some());
        let Some(root) = root else { return vec![] };
        let slashes = path.match_indices('/').map(|(at, _)| at);
        slashes.filter(|at| *at > root.len()).map(|at| path[..at].to_owned()).collect()
    }

    /// The path as it is shown, the same in every run.
    pub(super) fn shown(&self, path: &str) -> String {
        let places =
            [(&self.places.temp, "<tmp>"), (&self.places.project, ""), (&self.places.home, "~")];
        for (place, sign) in places {
            if path == place {
                return if sign.is_empty() { ".".into() } else { sign.into() };
            }
            match inside(path, place) {
                Some(rest) if sign.is_empty() => return rest.into(),
                Some(rest) => return format!("{sign}/{rest}"),
                None => {}
            }
        }
        path.into()
    }
}

fn inside<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    if folder.is_empty() {
        return None;
    }
    path.strip_prefix(folder)?.strip_prefix('/')
}

/// What a link at a path means by a target.
fn beside(path: &str, target: &str) -> String {
    if target.starts_with('/') {
        return simplified(target);
    }
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    simplified(&format!("{folder}/{target}"))
}

/// Without `.`, `..` and double slashes.
fn simplified(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    parts.iter().flat_map(|part| ["/", part]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detours_are_left_out() {
        assert_eq!(simplified("/a/./b//c/../d/"), "/a/b/d");
        assert_eq!(beside("/a/b", "../c"), "/c");
        assert_eq!(beside("/a/b", "/x/y"), "/x/y");
    }
}
