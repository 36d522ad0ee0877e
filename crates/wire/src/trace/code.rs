//! The project's code and when it ran, as records of the trace file.
//!
//! A class is described once, before its first block is told. Blocks that were
//! reached follow as runs of neighbouring numbers.

use residue_model::trace::{BlockCode, ClassCode, Counts, EpochIndex, MethodCode, Name, Stretch};

use super::TraceError;
use super::codec::{Cursor, many, put_number};
use super::parse::Parsed;
use super::record::RecordKind;
use super::writer::TraceWriter;

const COUNTS: [Counts; 3] = [Counts::ForEpoch, Counts::ForClass, Counts::ForAll];

impl TraceWriter {
    /// Describes a class of the project.
    pub fn class_code(&mut self, class: &ClassCode) {
        let mut out = Vec::new();
        put_number(&mut out, class.first_block.into());
        put_number(&mut out, class.is_watched.into());
        let name = self.name(&class.name);
        put_number(&mut out, name.into());
        self.put_optional_name(&mut out, class.source.as_deref());
        self.put_optional_name(&mut out, class.superclass.as_deref());
        self.put_name_list(&mut out, &class.interfaces);
        put_number(&mut out, class.methods.len() as u64);
        for method in &class.methods {
            put_number(&mut out, method.is_watched.into());
            let (name, descriptor) = (self.name(&method.name), self.name(&method.descriptor));
            put_number(&mut out, name.into());
            put_number(&mut out, descriptor.into());
            put_number(&mut out, method.blocks.len() as u64);
            for block in &method.blocks {
                put_ascending(&mut out, &block.lines);
                self.put_name_list(&mut out, &block.classes);
            }
        }
        self.record(RecordKind::Code, |payload| payload.extend_from_slice(&out));
    }

    /// Blocks that were reached in a part of the current epoch, ascending. The
    /// classes are called by their first blocks.
    pub fn reached(&mut self, counts: Counts, initialising: &[u32], blocks: &[u32]) {
        if !self.in_epoch || blocks.is_empty() {
            return;
        }
        self.record(RecordKind::Reached, |payload| {
            let code = COUNTS.iter().position(|other| *other == counts).unwrap_or_default();
            put_number(payload, code as u64);
            put_number(payload, initialising.len() as u64);
            initialising.iter().for_each(|class| put_number(payload, (*class).into()));
            put_runs(payload, blocks);
        });
    }

    fn put_optional_name(&mut self, out: &mut Vec<u8>, name: Option<&str>) {
        let number = name.map_or(0, |name| u64::from(self.name(name)) + 1);
        put_number(out, number);
    }

    fn put_name_list(&mut self, out: &mut Vec<u8>, names: &[Name]) {
        put_number(out, names.len() as u64);
        for name in names {
            let number = self.name(name);
            put_number(out, number.into());
        }
    }
}

fn put_ascending(out: &mut Vec<u8>, numbers: &[u32]) {
    put_number(out, numbers.len() as u64);
    let mut before = 0;
    for number in numbers {
        put_number(out, (number - before).into());
        before = *number;
    }
}

fn put_runs(out: &mut Vec<u8>, numbers: &[u32]) {
    let mut end = 0;
    for run in numbers.chunk_by(|a, b| *b == *a + 1) {
        put_number(out, (run[0] - end).into());
        put_number(out, run.len() as u64);
        end = run[0] + run.len() as u32;
    }
}

impl<'a> Parsed<'a> {
    pub(super) fn take_class_code(&mut self, from: &mut Cursor<'a>) -> Result<(), TraceError> {
        let first_block = from.number()?;
        if u64::from(first_block) > self.blocks_described {
            return from.damaged("blocks whose numbers leave a hole");
        }
        let is_watched = from.number()? != 0;
        let class = ClassCode {
            name: self.name(from)?,
            source: self.optional_name(from)?,
            superclass: self.optional_name(from)?,
            interfaces: many(from, |from| self.name(from))?,
            first_block,
            methods: many(from, |from| self.method_code(from))?,
            is_watched,
        };
        let blocks: usize = class.methods.iter().map(|method| method.blocks.len()).sum();
        let end = u64::from(first_block) + blocks as u64;
        self.blocks_described = self.blocks_described.max(end);
        self.code.get_or_insert_default().classes.push(class);
        Ok(())
    }

    fn method_code(&self, from: &mut Cursor<'a>) -> Result<MethodCode, TraceError> {
        let is_watched = from.number()? != 0;
        Ok(MethodCode {
            name: self.name(from)?,
            descriptor: self.name(from)?,
            blocks: many(from, |from| {
                let lines = ascending(from)?;
                Ok(BlockCode { lines, classes: many(from, |from| self.name(from))? })
            })?,
            is_watched,
        })
    }

    pub(super) fn take_reached(&mut self, from: &mut Cursor<'a>) -> Result<(), TraceError> {
        let Some(counts) = COUNTS.get(from.number()? as usize).copied() else {
            return from.damaged("blocks that count for nobody");
        };
        let Some(epoch) = self.epochs.len().checked_sub(1) else {
            return from.damaged("blocks reached before the first epoch");
        };
        let code = self.code.get_or_insert_default();
        let initialising = many(from, |from| {
            let first = from.number()?;
            let known = code.classes.iter().rposition(|class| class.first_block == first);
            known.map_or_else(|| from.damaged("a class that was never described"), Ok)
        })?;
        let blocks = runs(from, self.blocks_described)?;
        let epoch = EpochIndex(epoch as u32);
        code.stretches.push(Stretch { epoch, counts, initialising, blocks });
        Ok(())
    }

    fn optional_name(&self, from: &mut Cursor<'a>) -> Result<Option<Name>, TraceError> {
        match from.number()? {
            0 => Ok(None),
            number => self.named(number - 1, from).map(Some),
        }
    }
}

fn ascending(from: &mut Cursor<'_>) -> Result<Vec<u32>, TraceError> {
    let mut before = 0_u32;
    many(from, |from| match before.checked_add(from.number()?) {
        Some(next) => {
            before = next;
            Ok(next)
        }
        None => from.damaged("a line beyond the last there can be"),
    })
}

/// Blocks must be those of described classes, so a run is never longer than
/// what the file describes.
fn runs(from: &mut Cursor<'_>, beyond: u64) -> Result<Vec<u32>, TraceError> {
    let mut blocks = Vec::new();
    let mut end = 0;
    while !from.is_empty() {
        let first = end + from.long()?.min(beyond);
        let count = from.long()?;
        if count > beyond || first + count > beyond {
            return from.damaged("a block that was never described");
        }
        end = first + count;
        blocks.extend(first as u32..end as u32);
    }
    Ok(blocks)
}

#[cfg(test)]
mod tests {
    use residue_model::TestId;
    use residue_model::trace::{EpochKind, TracedCode};

    use super::*;
    use crate::trace::TraceReader;

    fn class(first_block: u32) -> ClassCode {
        let block = |lines: &[u32], classes: &[&str]| BlockCode {
            lines: lines.to_vec(),
            classes: classes.iter().map(|name| Name::from(*name)).collect(),
        };
        let method = |name: &str, blocks| MethodCode {
            name: name.into(),
            descriptor: "()V".into(),
            is_watched: true,
            blocks,
        };
        ClassCode {
            name: "a.B".into(),
            source: Some("B.java".into()),
            superclass: Some("a.A".into()),
            interfaces: vec!["a.I".into()],
            first_block,
            methods: vec![
                method("<clinit>", vec![block(&[4, 70_000], &["a.C", "a.D"])]),
                method("run", vec![block(&[], &[]), block(&[9], &[])]),
                MethodCode { is_watched: false, ..method("huge", vec![]) },
            ],
            is_watched: true,
        }
    }

    fn read(writer: &mut TraceWriter) -> Result<Option<TracedCode>, TraceError> {
        let order: Vec<TestId> = vec!["a.T#t".parse().unwrap()];
        let bytes = writer.take_bytes();
        let trace = TraceReader::new(&bytes).read(&order)?;
        assert_eq!(trace.code, None, "only who asks for it gets it");
        Ok(TraceReader::new(&bytes).with_code().read(&order)?.code)
    }

    #[test]
    fn code_and_when_it_ran_come_back() {
        let mut writer = TraceWriter::new();
        writer.begin_epoch(EpochKind::BeforeClass, 0);
        writer.class_code(&class(0));
        writer.class_code(&class(3));
        writer.reached(Counts::ForAll, &[3], &[3, 5]);
        writer.begin_epoch(EpochKind::Test, 0);
        writer.reached(Counts::ForEpoch, &[], &[1, 2, 3]);
        writer.reached(Counts::ForClass, &[], &[]);
        writer.finish();
        let code = read(&mut writer).unwrap().unwrap();
        assert_eq!(code.classes, [class(0), class(3)]);
        let stretch = |epoch, counts, initialising: &[usize], blocks: &[u32]| Stretch {
            epoch: EpochIndex(epoch),
            counts,
            initialising: initialising.to_vec(),
            blocks: blocks.to_vec(),
        };
        let expected = [
            stretch(0, Counts::ForAll, &[1], &[3, 5]),
            stretch(1, Counts::ForEpoch, &[], &[1, 2, 3]),
        ];
        assert_eq!(code.stretches, expected);
    }

    #[test]
    fn a_run_that_was_not_watched_has_no_code() {
        let mut writer = TraceWriter::new();
        writer.begin_epoch(EpochKind::Test, 0);
        writer.finish();
        assert_eq!(read(&mut writer), Ok(None));
    }

    #[test]
    fn numbers_that_leave_a_hole_are_damage() {
        let mut writer = TraceWriter::new();
        writer.begin_epoch(EpochKind::Test, 0);
        writer.class_code(&class(1_000_000_000));
        let refused = read(&mut writer).unwrap_err();
        assert!(refused.to_string().contains("leave a hole"), "{refused}");
    }

    #[test]
    fn blocks_of_no_class_are_damage() {
        let mut writer = TraceWriter::new();
        writer.begin_epoch(EpochKind::Test, 0);
        writer.class_code(&class(0));
        writer.reached(Counts::ForEpoch, &[], &[2, 3]);
        let refused = read(&mut writer).unwrap_err();
        assert!(refused.to_string().contains("a block that was never described"), "{refused}");
    }
}
