//! Little stories, told as events.

use residue_model::trace::{OutsideAccesses, OutsideEpoch};

use super::*;
use crate::empty_log;
use crate::event::NOBODYS;
use crate::layout::{END, Fixed, JVM, WHOLE, put, record_size};

const JVM_PROCESS: u32 = 77;

/// Writes a log as the processes of a run would.
struct Story {
    bytes: Vec<u8>,
    epoch: u32,
    stack: u32,
    process: u32,
}

impl Story {
    fn new() -> Self {
        let mut bytes = empty_log(&[], None);
        bytes[JVM..JVM + 4].copy_from_slice(&JVM_PROCESS.to_le_bytes());
        Self { bytes, epoch: 0, stack: 0, process: JVM_PROCESS }
    }

    fn test(&mut self) -> &mut Self {
        self.epoch += 1;
        let position = u64::from(self.epoch - 1);
        self.add(EventKind::Epoch, 1, (self.epoch.into(), position), b"", b"")
    }

    fn add(
        &mut self,
        kind: EventKind,
        flags: u16,
        (device, inode): (u64, u64),
        first: &[u8],
        second: &[u8],
    ) -> &mut Self {
        let Self { epoch, stack, process, .. } = *self;
        let fixed = Fixed { kind, flags, epoch, process, stack, device, inode };
        let mut record = vec![0; record_size(first.len(), second.len())];
        put(&mut record, &fixed, first, second);
        let size = record.len() as u32 | WHOLE;
        record[..4].copy_from_slice(&size.to_le_bytes());
        self.bytes.extend(record);
        self
    }

    fn name(&mut self, kind: EventKind, flags: u16, inode: u64, path: &str) -> &mut Self {
        self.add(kind, flags, (1, inode), path.as_bytes(), b"")
    }

    fn content(&mut self, kind: EventKind, inode: u64) -> &mut Self {
        self.add(kind, 0, (1, inode), b"", b"")
    }

    fn end(&mut self) -> OutsideAccesses {
        let end = self.bytes.len() as u64;
        self.bytes[END..END + 8].copy_from_slice(&end.to_le_bytes());
        let places = Places {
            project: "/p".into(),
            temp: "/t".into(),
            home: "/home/me".into(),
            ..Places::default()
        };
        let rules = Rules::new("", &places).unwrap();
        accesses(&Log::new(&self.bytes).unwrap(), &rules, &places, &mut NoLinks)
    }
}

struct NoLinks;

impl FileSystem for NoLinks {
    fn real_folder(&mut self, folder: &str) -> String {
        folder.into()
    }

    fn link_target(&mut self, _: &str) -> Option<String> {
        None
    }
}

fn shown(seen: &OutsideAccesses, locations: impl Iterator<Item = usize>) -> Vec<String> {
    let mut shown: Vec<_> = locations.map(|at| seen.locations[at].to_string()).collect();
    shown.sort();
    shown
}

fn reads(seen: &OutsideAccesses, epoch: usize) -> Vec<String> {
    shown(seen, seen.epochs[epoch].reads.iter().map(|read| read.location))
}

/// Those that somebody can still tell afterwards.
fn lasting_writes(seen: &OutsideAccesses, epoch: usize) -> Vec<String> {
    let OutsideEpoch { writes, .. } = &seen.epochs[epoch];
    let lasting = writes.iter().filter(|write| write.old.is_none() || write.old != write.new);
    shown(seen, lasting.map(|write| write.location))
}

use EventKind::{
    Bind, CannotBind, ChangeFolder, Connect, List, Look, Make, Missing, Open, ReadContent,
    ReadVariable, Remove, Rename, Unbind, UnseenProgram, WriteContent, WriteVariable,
};
use flags::{EMPTIED, LAST_NAME, MADE, NAME_MATTERS, RELATIVE};

#[test]
fn a_file_with_a_number_that_was_used_before_is_another_file() {
    let seen = Story::new()
        .test()
        .name(Open, MADE, 5, "/p/a")
        .content(WriteContent, 5)
        .test()
        .name(Remove, LAST_NAME, 5, "/p/a")
        .name(Open, MADE, 5, "/p/b")
        .content(WriteContent, 5)
        .test()
        .name(Open, NAME_MATTERS, 5, "/p/b")
        .content(ReadContent, 5)
        .end();
    assert_eq!(reads(&seen, 2), ["existence of b", "file b"]);
    assert!(lasting_writes(&seen, 0).contains(&"file a".to_owned()));
}

#[test]
fn what_is_made_and_gone_in_one_test_was_never_there() {
    let seen = Story::new()
        .test()
        .name(Missing, 0, 0, "/p/a")
        .name(Open, MADE, 5, "/p/a")
        .content(WriteContent, 5)
        .content(ReadContent, 5)
        .name(Remove, LAST_NAME, 5, "/p/a")
        .end();
    assert_eq!(reads(&seen, 0), ["existence of a"]);
    assert_eq!(lasting_writes(&seen, 0), [""; 0]);
}

#[test]
fn what_a_test_wrote_itself_it_does_not_read_of_others() {
    let seen = Story::new()
        .test()
        .name(Open, EMPTIED, 5, "/p/a")
        .content(ReadContent, 5)
        .test()
        .content(ReadContent, 5)
        .content(WriteContent, 5)
        .end();
    assert_eq!(reads(&seen, 0), [""; 0]);
    assert_eq!(reads(&seen, 1), ["file a"]);
    assert_eq!(lasting_writes(&seen, 1), ["file a", "metadata of a"]);
}

#[test]
fn a_renamed_file_has_both_names_and_its_content_moves_along() {
    let seen = Story::new()
        .test()
        .name(Open, MADE, 5, "/p/half")
        .add(Rename, 0, (1, 5), b"/p/half", b"/p/whole")
        .test()
        .name(Open, NAME_MATTERS, 5, "/p/whole")
        .content(ReadContent, 5)
        .end();
    assert_eq!(reads(&seen, 1), ["existence of whole", "file half (also whole)"]);
    let written = lasting_writes(&seen, 0);
    assert!(written.contains(&"existence of whole".to_owned()), "{written:?}");
    assert!(!written.contains(&"existence of half".to_owned()), "{written:?}");
}

#[test]
fn a_file_put_in_the_place_of_another_is_a_change_though_the_name_stays() {
    let seen = Story::new()
        .name(Look, 0, 5, "/p/a")
        .test()
        .name(Open, MADE, 6, "/p/new")
        .add(Rename, flags::REPLACED, (1, 6), b"/p/new", b"/p/a")
        .end();
    assert!(lasting_writes(&seen, 0).contains(&"existence of a".to_owned()));
    // No name has come or gone in the end.
    assert!(!lasting_writes(&seen, 0).contains(&"listing of .".to_owned()));
}

#[test]
fn folders_on_the_way_count_and_a_link_made_in_the_run_is_followed() {
    let seen = Story::new()
        .test()
        .name(Make, 0, 7, "/p/real")
        .add(Make, 0, (1, 8), b"/p/link", b"real")
        .test()
        .name(Open, NAME_MATTERS, 9, "/p/link/x")
        .end();
    assert_eq!(reads(&seen, 1), ["existence of real", "existence of real/x"]);
}

#[test]
fn a_listing_is_read_by_whoever_lists() {
    let seen = Story::new().test().name(List, 0, 7, "/t/box").test().end();
    assert_eq!(reads(&seen, 0), ["existence of <tmp>/box", "listing of <tmp>/box"]);
}

#[test]
fn what_frameworks_look_at_for_themselves_is_nobodys_doing() {
    let mut story = Story::new();
    story.test().stack = 3 | NOBODYS;
    story.name(Look, 0, 5, "/p/a");
    story.stack = 3;
    story.name(Look, 0, 6, "/p/b");
    let seen = story.end();
    assert_eq!(reads(&seen, 0), ["existence of b", "metadata of b"]);
    assert_eq!(seen.epochs[0].reads[0].stack, Some(2));
}

#[test]
fn a_port_that_is_given_back_is_free_for_all() {
    let port = |port: u16| {
        let mut address = 2_u16.to_ne_bytes().to_vec();
        address.extend(port.to_be_bytes());
        address.extend([127, 0, 0, 1]);
        address
    };
    let mut story = Story::new();
    let taken = port(8080);
    story.test().add(Bind, 0, (0, 0), &taken, b"").add(Unbind, 0, (0, 0), &taken, b"");
    story.test().add(Bind, 0, (0, 0), &taken, b"");
    story.test().add(CannotBind, 0, (0, 0), &taken, b"");
    story.test().add(Connect, 0, (0, 0), &taken, b"").add(Connect, 0, (0, 0), &port(5432), b"");
    let seen = story.end();
    assert_eq!(lasting_writes(&seen, 0), [""; 0]);
    assert_eq!(lasting_writes(&seen, 1), ["port 8080"]);
    assert_eq!(reads(&seen, 2), ["port 8080"]);
    assert_eq!(reads(&seen, 3), ["peer 127.0.0.1:5432", "port 8080"]);
    assert_eq!(lasting_writes(&seen, 3), ["peer 127.0.0.1:5432"]);
}

#[test]
fn only_the_jvms_own_environment_and_folder_are_shared() {
    let mut story = Story::new();
    story.test().add(WriteVariable, 0, (0, 0), b"COLOR", b"");
    story.add(ChangeFolder, 0, (0, 0), b"", b"");
    story.process = 99;
    story.add(WriteVariable, 0, (0, 0), b"CHILDS", b"");
    story.process = JVM_PROCESS;
    story.test().add(ReadVariable, 0, (0, 0), b"COLOR", b"");
    story.name(Look, RELATIVE, 5, "/p/a");
    let seen = story.end();
    assert_eq!(lasting_writes(&seen, 0), ["environment variable COLOR", "working directory"]);
    let read = reads(&seen, 1);
    assert!(read.contains(&"environment variable COLOR".to_owned()), "{read:?}");
    assert!(read.contains(&"working directory".to_owned()), "{read:?}");
}

#[test]
fn a_program_that_could_not_be_watched_is_a_gap() {
    let program = |story: &mut Story| _ = story.add(UnseenProgram, 0, (0, 0), b"/x", b"static");
    let mut story = Story::new();
    program(&mut story);
    program(&mut story);
    let seen = story.end();
    assert_eq!((&*seen.gaps[0].detail, seen.gaps[0].count), ("/x: static", 2));
}

#[test]
fn what_native_code_does_has_no_stack_and_that_is_told() {
    let read = |stack, process| {
        let mut story = Story::new();
        story.stack = stack;
        story.process = process;
        story.test().name(Look, 0, 5, "/p/a").end().gaps
    };
    let gaps = read(0, JVM_PROCESS);
    let of =
        |location: &str| Gap { kind: GapKind::UnknownCaller, detail: location.into(), count: 1 };
    assert_eq!(gaps, [of("existence of a"), of("metadata of a")]);
    assert!(read(NOBODYS, JVM_PROCESS).is_empty(), "the VM's own");
    assert!(read(3, JVM_PROCESS).is_empty());
    assert!(read(0, JVM_PROCESS + 1).is_empty(), "another program has no Java code");
}
