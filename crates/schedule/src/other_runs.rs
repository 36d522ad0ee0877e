//! State of the machine through which the runs of a suite meet: those beside
//! each other, and those after each other. They share no heap, but files,
//! ports and whoever answers at an address.

use std::collections::BTreeSet;

use residue_model::trace::{Epoch, LocationName, Outside, OutsideKind, Trace};

use crate::machine::TEMPORARY;

/// What a run shares with other runs of its suite, by the names of traces.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SharedWithRuns {
    /// Files and folders that tests look at and leave changed: the next run
    /// starts from something else than this one.
    pub left: BTreeSet<String>,
    /// Files that tests look at and put back, ports, servers: two runs at once
    /// disturb each other.
    pub used: BTreeSet<String>,
}

impl SharedWithRuns {
    /// Nothing at all.
    pub fn is_empty(&self) -> bool {
        self.left.is_empty() && self.used.is_empty()
    }

    /// Adds what a traced run shares. `own_temp` says that each run has a
    /// temporary folder of its own.
    pub fn add(&mut self, trace: &Trace, own_temp: bool) {
        let mut uses = vec![Uses::default(); trace.locations.len()];
        for Epoch { reads, writes, .. } in &trace.epochs {
            for read in reads {
                uses[read.location.index()].is_read = true;
            }
            for write in writes {
                let uses = &mut uses[write.location.index()];
                uses.is_written = true;
                uses.is_left |= !write.is_undone();
            }
        }
        for (location, uses) in trace.locations.iter().zip(uses) {
            if let LocationName::Outside(outside) = &location.name
                && !(own_temp && outside.name.starts_with(TEMPORARY))
            {
                self.add_one(outside, uses);
            }
        }
        let Self { left, used } = self;
        used.retain(|name| !left.contains(name));
    }

    fn add_one(&mut self, outside: &Outside, uses: Uses) {
        let Uses { is_read, is_written, is_left } = uses;
        let name = outside.name.to_string();
        match outside.kind {
            OutsideKind::FileContent
            | OutsideKind::FileName
            | OutsideKind::FileMetadata
            | OutsideKind::FolderListing => {
                if is_read && is_left {
                    self.left.insert(name);
                } else if is_read && is_written {
                    self.used.insert(name);
                }
            }
            OutsideKind::Port | OutsideKind::Peer | OutsideKind::UnixSocket => {
                if is_written && !outside.is_chosen_port() {
                    self.used.insert(outside.to_string());
                }
            }
            // Each JVM has its own.
            OutsideKind::Variable | OutsideKind::WorkingDirectory => {}
        }
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Uses {
    is_read: bool,
    is_written: bool,
    is_left: bool,
}

#[cfg(test)]
mod tests {
    use residue_model::trace::{EpochKind, Location, LocationId, Read, Value, Write};

    use super::*;

    /// A run that reads something, and writes it if told what is there then.
    fn shared(outside: Outside, written: Option<[bool; 2]>) -> SharedWithRuns {
        let location = LocationId(0);
        let write = |[old, new]: [bool; 2]| Write {
            location,
            stack: None,
            old: Some(Value::Boolean(old)),
            new: Some(Value::Boolean(new)),
        };
        let epoch = Epoch {
            kind: EpochKind::Test,
            test: 0,
            reads: vec![Read { location, stack: None }],
            writes: written.map(write).into_iter().collect(),
        };
        let name = LocationName::Outside(outside);
        let locations = vec![Location { name, creator: None }];
        let trace = Trace { epochs: vec![epoch], locations, ..Trace::default() };
        let mut shared = SharedWithRuns::default();
        shared.add(&trace, true);
        shared
    }

    fn file(name: &str) -> Outside {
        Outside::new(OutsideKind::FileName, name)
    }

    #[test]
    fn a_file_that_stays_changes_the_next_run_and_one_that_goes_only_those_beside() {
        let made = shared(file("report.txt"), Some([false, true]));
        assert_eq!(made.left, BTreeSet::from(["report.txt".to_owned()]));
        let undone = shared(file("report.txt"), Some([false, false]));
        assert!(undone.left.is_empty());
        assert_eq!(undone.used, BTreeSet::from(["report.txt".to_owned()]));
        assert!(shared(file("report.txt"), None).is_empty());
    }

    #[test]
    fn a_port_is_shared_unless_the_system_chose_it() {
        let wanted = shared(Outside::new(OutsideKind::Port, "8080"), Some([false, true]));
        assert_eq!(wanted.used, BTreeSet::from(["port 8080".to_owned()]));
        assert!(shared(Outside::chosen_port("40123"), Some([false, true])).is_empty());
    }

    #[test]
    fn the_temporary_folder_is_new_in_each_run() {
        assert!(shared(file("<tmp>/x"), Some([false, true])).is_empty());
    }
}
