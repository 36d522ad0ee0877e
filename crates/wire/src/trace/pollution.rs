//! State that was left changed, written and read.

use residue_model::trace::{
    Change, EpochIndex, Label, PathRoot, Place, PlaceStep, Pollution, TreeNode,
};

use super::codec::{Cursor, many, put_number};
use super::parse::Parsed;
use super::record::{RecordKind, label, root};
use super::{TraceError, TraceWriter};

const PUBLIC_ROOT: u32 = 1;
const LOADED_HERE: u32 = 2;

/// What [`TraceWriter::pollution`] is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPollution {
    /// How many epochs before the current one belong to what was compared.
    pub earlier_epochs: u32,
    /// Whether the class where the place begins is public.
    pub public_root: bool,
    /// Whether that class was not there before.
    pub loaded_here: bool,
    /// What is polluted.
    pub place: Place,
    /// Cells that were written for it.
    pub cells: Vec<u32>,
    /// What changed.
    pub changes: Vec<Change>,
    /// How many more.
    pub unlisted_changes: u64,
}

/// As the file tells it: cells are not locations yet.
#[derive(Debug)]
pub(super) struct RawPollution {
    pub(super) pollution: Pollution,
    pub(super) cells: Vec<u32>,
}

impl TraceWriter {
    /// The current epoch left state changed.
    pub fn pollution(&mut self, new: &NewPollution) {
        if !self.in_epoch {
            return;
        }
        let mut out = Vec::new();
        put_number(&mut out, new.earlier_epochs.into());
        let flags =
            PUBLIC_ROOT * u32::from(new.public_root) + LOADED_HERE * u32::from(new.loaded_here);
        put_number(&mut out, flags.into());
        self.put_place(&mut out, &new.place);
        put_number(&mut out, new.cells.len() as u64);
        new.cells.iter().for_each(|cell| put_number(&mut out, (*cell).into()));
        put_number(&mut out, new.unlisted_changes);
        put_number(&mut out, new.changes.len() as u64);
        for change in &new.changes {
            self.put_label(&mut out, &change.label);
            self.put_value(&mut out, change.old.as_ref());
            self.put_value(&mut out, change.new.as_ref());
            for tree in [&change.before, &change.after] {
                put_number(&mut out, tree.len() as u64);
                for node in tree {
                    put_number(&mut out, node.depth.into());
                    self.put_label(&mut out, &node.label);
                    self.put_value(&mut out, node.value.as_ref());
                }
            }
        }
        self.record(RecordKind::Pollution, |payload| payload.extend_from_slice(&out));
    }

    fn put_place(&mut self, out: &mut Vec<u8>, place: &Place) {
        match &place.root {
            // What is compared is on the heap.
            PathRoot::SystemProperty(_) | PathRoot::Outside(_) | PathRoot::Unknown => {
                out.push(root::UNKNOWN)
            }
            PathRoot::Static { class, field } => {
                out.push(root::STATIC);
                self.put_names(out, [class, field]);
            }
            PathRoot::Thread(name) => {
                out.push(root::THREAD);
                self.put_names(out, [name]);
            }
        }
        put_number(out, place.steps.len() as u64);
        for step in &place.steps {
            match step {
                PlaceStep::Field { class, field } => {
                    out.push(label::FIELD);
                    self.put_names(out, [class, field]);
                }
                PlaceStep::Index(index) => {
                    out.push(label::INDEX);
                    put_number(out, (*index).into());
                }
                PlaceStep::Key(key) => {
                    out.push(label::KEY);
                    self.put_value(out, Some(key));
                }
            }
        }
    }

    fn put_label(&mut self, out: &mut Vec<u8>, shown: &Label) {
        match shown {
            Label::Whole => out.push(label::WHOLE),
            Label::Order => out.push(label::ORDER),
            Label::Field(name) => {
                out.push(label::FIELD);
                self.put_names(out, [name]);
            }
            Label::Index(index) => {
                out.push(label::INDEX);
                put_number(out, (*index).into());
            }
            Label::Key(key) => {
                out.push(label::KEY);
                self.put_value(out, Some(key));
            }
        }
    }

    fn put_names<const N: usize>(&mut self, out: &mut Vec<u8>, names: [&str; N]) {
        for name in names {
            let number = self.name(name);
            put_number(out, number.into());
        }
    }
}

impl<'a> Parsed<'a> {
    pub(super) fn take_pollution(&mut self, from: &mut Cursor<'a>) -> Result<(), TraceError> {
        let earlier_epochs = from.number()?;
        let current = self.epochs.len().checked_sub(1).map(|last| last as u32);
        let since = current.and_then(|current| current.checked_sub(earlier_epochs));
        let (Some(current), Some(since)) = (current, since) else {
            return from.damaged("a pollution before the first epoch");
        };
        let flags = from.number()?;
        let place = self.place(from)?;
        let cells = many(from, Cursor::number)?;
        let unlisted_changes = from.long()?;
        let changes = many(from, |from| self.change(from))?;
        let pollution = Pollution {
            since: EpochIndex(since),
            epoch: EpochIndex(current),
            place,
            public_root: flags & PUBLIC_ROOT != 0,
            loaded_here: flags & LOADED_HERE != 0,
            locations: Vec::new(),
            changes,
            unlisted_changes,
        };
        self.pollutions.push(RawPollution { pollution, cells });
        Ok(())
    }

    fn place(&self, from: &mut Cursor<'a>) -> Result<Place, TraceError> {
        let root = match from.byte()? {
            root::UNKNOWN => PathRoot::Unknown,
            root::STATIC => PathRoot::Static { class: self.name(from)?, field: self.name(from)? },
            root::THREAD => PathRoot::Thread(self.name(from)?),
            _ => return from.damaged("an unknown beginning of a place"),
        };
        let steps = many(from, |from| {
            Ok(match from.byte()? {
                label::FIELD => {
                    PlaceStep::Field { class: self.name(from)?, field: self.name(from)? }
                }
                label::INDEX => PlaceStep::Index(from.number()?),
                label::KEY => match self.value(from)? {
                    Some(key) => PlaceStep::Key(key),
                    None => return from.damaged("a key without a value"),
                },
                _ => return from.damaged("an unknown step"),
            })
        })?;
        Ok(Place { root, steps })
    }

    fn change(&self, from: &mut Cursor<'a>) -> Result<Change, TraceError> {
        Ok(Change {
            label: self.label(from)?,
            old: self.value(from)?,
            new: self.value(from)?,
            before: many(from, |from| self.tree_node(from))?,
            after: many(from, |from| self.tree_node(from))?,
        })
    }

    fn tree_node(&self, from: &mut Cursor<'a>) -> Result<TreeNode, TraceError> {
        let depth = from.number()?;
        Ok(TreeNode { depth, label: self.label(from)?, value: self.value(from)? })
    }

    fn label(&self, from: &mut Cursor<'a>) -> Result<Label, TraceError> {
        Ok(match from.byte()? {
            label::WHOLE => Label::Whole,
            label::ORDER => Label::Order,
            label::FIELD => Label::Field(self.name(from)?),
            label::INDEX => Label::Index(from.number()?),
            label::KEY => match self.value(from)? {
                Some(key) => Label::Key(key),
                None => return from.damaged("a key without a value"),
            },
            _ => return from.damaged("an unknown part of an object"),
        })
    }
}

#[cfg(test)]
mod tests {
    use residue_model::TestId;
    use residue_model::trace::{EpochKind, LocationName, Value};

    use super::*;
    use crate::trace::TraceReader;

    fn new_pollution() -> NewPollution {
        let key = Value::text("poison");
        let node = |label| TreeNode { depth: 1, label, value: Some(Value::Integer(-3)) };
        NewPollution {
            earlier_epochs: 1,
            public_root: true,
            loaded_here: false,
            place: Place {
                root: PathRoot::Static { class: "a.Registry".into(), field: "byName".into() },
                steps: vec![PlaceStep::Key(key.clone()), PlaceStep::Index(4)],
            },
            cells: vec![7, 9],
            changes: vec![Change {
                label: Label::Key(key),
                old: None,
                new: Some(Value::Null),
                before: vec![],
                after: vec![node(Label::Field("size".into())), node(Label::Order)],
            }],
            unlisted_changes: 12,
        }
    }

    #[test]
    fn a_pollution_comes_back_with_the_locations_it_was_written_through() {
        let mut writer = TraceWriter::new();
        writer.begin_epoch(EpochKind::BeforeClass, 0);
        writer.describe_static(7, "a.Registry", "byName");
        writer.describe_static(9, "a.Registry", "count");
        writer.write(7, None, None, None);
        writer.begin_epoch(EpochKind::Test, 0);
        writer.write(9, None, None, None);
        let new = new_pollution();
        writer.pollution(&new);
        writer.finish();
        let order: Vec<TestId> = vec!["a.T#t".parse().unwrap()];
        let trace = TraceReader::new(&writer.take_bytes()).read(&order).unwrap();
        let [pollution] = trace.pollutions.as_slice() else { panic!("{:?}", trace.pollutions) };
        assert_eq!((pollution.since, pollution.epoch), (EpochIndex(0), EpochIndex(1)));
        assert_eq!((pollution.public_root, pollution.loaded_here), (true, false));
        assert_eq!((&pollution.place, &pollution.changes), (&new.place, &new.changes));
        assert_eq!(pollution.unlisted_changes, 12);
        let fields = pollution.locations.iter().map(|location| &trace.location(*location).name);
        let fields: Vec<&str> = fields
            .map(|name| match name {
                LocationName::StaticField { field, .. } => &**field,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(fields, ["byName", "count"]);
    }

    #[test]
    fn a_pollution_before_the_first_epoch_is_damage() {
        let mut writer = TraceWriter::new();
        writer.begin_epoch(EpochKind::Test, 0);
        writer.pollution(&new_pollution());
        let order: Vec<TestId> = vec!["a.T#t".parse().unwrap()];
        let refused = TraceReader::new(&writer.take_bytes()).read(&order).unwrap_err();
        assert!(refused.to_string().contains("before the first epoch"), "{refused}");
    }
}
