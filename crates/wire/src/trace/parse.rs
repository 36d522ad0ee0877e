//! From bytes to records: everything but the reads, which are most of a file
//! and are decoded only when it is known which of them matter.

use std::collections::{BTreeMap, HashMap};

use residue_model::Frame;
use residue_model::trace::{
    EpochKind, FrameId, GapKind, IgnoredField, Name, OutsideAccesses, Stack, StackId, TracedCode,
    Value,
};

use super::TraceError;
use super::codec::Cursor;
use super::outside;
use super::pollution::RawPollution;
use super::record::{
    PREAMBLE, RecordKind, TRACE_VERSION, epoch_of_code, found, gap_of_code, holds, value,
};
use super::writer::{Content, Holds};

/// A file as its records tell it.
#[derive(Debug, Default)]
pub(super) struct Parsed<'a> {
    pub(super) names: Vec<Name>,
    pub(super) frames: Vec<Frame>,
    pub(super) stacks: Vec<Stack>,
    pub(super) statics: Vec<RawStatic>,
    pub(super) classes: HashMap<u32, RawClass>,
    pub(super) objects: Vec<RawObject>,
    /// Keys of system properties, by the first slot of what stands for them;
    /// without one, which properties there are.
    pub(super) properties: HashMap<u32, Option<Name>>,
    pub(super) epochs: Vec<RawEpoch<'a>>,
    pub(super) gaps: BTreeMap<(GapKind, Name), u64>,
    pub(super) ignored: Vec<IgnoredField>,
    pub(super) pollutions: Vec<RawPollution>,
    pub(super) complete: bool,
    pub(super) outside: OutsideAccesses,
    pub(super) wants_code: bool,
    pub(super) code: Option<TracedCode>,
    /// Blocks of described classes have smaller numbers.
    pub(super) blocks_described: u64,
}

#[derive(Debug)]
pub(super) struct RawStatic {
    pub(super) cell: u32,
    pub(super) class: Name,
    pub(super) field: Name,
}

#[derive(Debug)]
pub(super) struct RawClass {
    pub(super) name: Name,
    /// Declaring class and field of each slot.
    pub(super) slots: Vec<(Name, Name)>,
}

#[derive(Debug)]
pub(super) struct RawObject {
    pub(super) first_slot: u32,
    pub(super) shape: Shape,
    /// 0 for the genesis, else one more than the epoch's index.
    pub(super) creator: u32,
    pub(super) found: RawFound,
}

#[derive(Debug)]
pub(super) enum Shape {
    Instance { class: u32 },
    Array { type_name: Name, length: u32, shift: u8 },
}

#[derive(Debug)]
pub(super) enum RawFound {
    InCell(u32),
    InThread(Name),
    Unknown,
}

#[derive(Debug)]
pub(super) struct RawEpoch<'a> {
    pub(super) kind: EpochKind,
    pub(super) test: usize,
    pub(super) reads: Vec<Cursor<'a>>,
    pub(super) writes: Vec<RawWrite>,
    /// Records that `writes` come from: cells may repeat from one to the next.
    pub(super) write_records: usize,
    pub(super) contents: Vec<Cursor<'a>>,
}

#[derive(Debug)]
pub(super) struct RawWrite {
    pub(super) run: Run,
    pub(super) old: Option<Value>,
    pub(super) new: Option<Value>,
}

/// Neighbouring cells with one stack.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    pub(super) first: u32,
    /// Beyond the last; may be one more than a cell can be.
    pub(super) end: u64,
    pub(super) stack: Option<StackId>,
}

impl Run {
    pub(super) fn of_cell(cell: u32) -> Self {
        Self { first: cell, end: u64::from(cell) + 1, stack: None }
    }
}

pub(super) fn parse(
    bytes: &[u8],
    tests: usize,
    wants_code: bool,
) -> Result<Parsed<'_>, TraceError> {
    let mut parsed = Parsed { wants_code, ..Parsed::default() };
    let Some(mut file) = check_preamble(bytes)? else { return Ok(parsed) };
    while !file.is_empty() {
        let start = file.clone();
        let kind = file.byte()?;
        let Some(length) = file.number_if_whole()? else { break };
        let Some(kind) = RecordKind::of_code(kind) else {
            return start.damaged("an unknown kind of record");
        };
        let payload = usize::try_from(length).ok().and_then(|length| file.split(length));
        let Some(payload) = payload else { break };
        parsed.take(kind, payload, tests)?;
    }
    Ok(parsed)
}

/// What follows the preamble; `None` where the file ends within it.
fn check_preamble(bytes: &[u8]) -> Result<Option<Cursor<'_>>, TraceError> {
    let (magic, version) = PREAMBLE.split_at(4);
    let known = bytes.len().min(magic.len());
    if bytes[..known] != magic[..known] {
        return Err(TraceError::NotATrace);
    }
    let Some((preamble, rest)) = bytes.split_at_checked(PREAMBLE.len()) else { return Ok(None) };
    if preamble[4..] != *version {
        let found = u16::from_be_bytes([preamble[4], preamble[5]]);
        return Err(TraceError::OtherVersion { found, supported: TRACE_VERSION });
    }
    Ok(Some(Cursor::new(rest, PREAMBLE.len())))
}

impl<'a> Parsed<'a> {
    fn take(
        &mut self,
        kind: RecordKind,
        mut from: Cursor<'a>,
        tests: usize,
    ) -> Result<(), TraceError> {
        match kind {
            RecordKind::Name => {
                self.names.push(from.remaining_text()?.into());
                return Ok(());
            }
            RecordKind::Frame => self.take_frame(&mut from)?,
            RecordKind::Stack => self.take_stack(&mut from)?,
            RecordKind::StaticField => {
                let cell = from.number()?;
                let (class, field) = (self.name(&mut from)?, self.name(&mut from)?);
                self.statics.push(RawStatic { cell, class, field });
            }
            RecordKind::Class => self.take_class(&mut from)?,
            RecordKind::Object => self.take_object(&mut from)?,
            RecordKind::Array => self.take_array(&mut from)?,
            RecordKind::Epoch => self.take_epoch(&mut from, tests)?,
            RecordKind::Reads => {
                let Some(epoch) = self.epochs.last_mut() else {
                    return from.damaged("an access before the first epoch");
                };
                epoch.reads.push(from);
                return Ok(());
            }
            RecordKind::Writes => self.take_writes(&mut from)?,
            RecordKind::Contents => {
                let Some(epoch) = self.epochs.last_mut() else {
                    return from.damaged("a content before the first epoch");
                };
                epoch.contents.push(from);
                return Ok(());
            }
            RecordKind::Gap => {
                let Some(kind) = gap_of_code(from.number()?) else {
                    return from.damaged("an unknown kind of gap");
                };
                let detail = self.name(&mut from)?;
                let count = self.gaps.entry((kind, detail)).or_default();
                *count = count.saturating_add(from.long()?);
            }
            RecordKind::Ignored => {
                let (class, field) = (self.name(&mut from)?, self.name(&mut from)?);
                let is_static = from.number()? != 0;
                let rule = self.name(&mut from)?;
                self.ignored.push(IgnoredField { class, field, is_static, rule });
            }
            RecordKind::Property => {
                let first_slot = from.number()?;
                let key = Some(self.name(&mut from)?).filter(|key| !key.is_empty());
                self.properties.insert(first_slot, key);
            }
            RecordKind::Pollution => self.take_pollution(&mut from)?,
            RecordKind::Code | RecordKind::Reached if !self.wants_code => return Ok(()),
            RecordKind::Code => self.take_class_code(&mut from)?,
            RecordKind::Reached => self.take_reached(&mut from)?,
            RecordKind::End => self.complete = true,
            RecordKind::OutsideLocation => {
                self.outside.locations.push(outside::take_location(&mut from)?);
            }
            RecordKind::OutsideEpoch => {
                let locations = self.outside.locations.len();
                let epoch = outside::take_epoch(&mut from, locations, tests)?;
                self.outside.epochs.push(epoch);
            }
            RecordKind::OutsideGap => self.outside.gaps.push(outside::take_gap(&mut from)?),
        }
        from.finish()
    }

    pub(super) fn name(&self, from: &mut Cursor<'a>) -> Result<Name, TraceError> {
        let number = from.number()?;
        self.named(number, from)
    }

    pub(super) fn named(&self, number: u32, from: &Cursor<'a>) -> Result<Name, TraceError> {
        match self.names.get(number as usize) {
            Some(name) => Ok(name.clone()),
            None => from.damaged("a name that was never given"),
        }
    }

    fn take_frame(&mut self, from: &mut Cursor<'a>) -> Result<(), TraceError> {
        let (class, method) = (self.name(from)?, self.name(from)?);
        let file = match from.number()? {
            0 => None,
            number => Some(self.named(number - 1, from)?.to_string()),
        };
        let unzigzag = |number: u32| (number >> 1) as i32 ^ -((number & 1) as i32);
        let line = from.number()?.checked_sub(1).map(unzigzag);
        self.frames.push(Frame {
            class: class.to_string(),
            method: method.to_string(),
            file,
            line,
        });
        Ok(())
    }

    fn take_stack(&mut self, from: &mut Cursor<'a>) -> Result<(), TraceError> {
        let mut frames = Vec::new();
        while !from.is_empty() {
            let frame = from.number()?;
            if frame as usize >= self.frames.len() {
                return from.damaged("a frame that was never given");
            }
            frames.push(FrameId(frame));
        }
        self.stacks.push(Stack { frames: frames.into() });
        Ok(())
    }

    fn take_class(&mut self, from: &mut Cursor<'a>) -> Result<(), TraceError> {
        let class = from.number()?;
        let name = self.name(from)?;
        let mut slots = Vec::new();
        while !from.is_empty() {
            slots.push((self.name(from)?, self.name(from)?));
        }
        self.classes.insert(class, RawClass { name, slots });
        Ok(())
    }

    fn take_object(&mut self, from: &mut Cursor<'a>) -> Result<(), TraceError> {
        let (first_slot, class) = (from.number()?, from.number()?);
        if !self.classes.contains_key(&class) {
            return from.damaged("an object of a class that was never described");
        }
        let (creator, found) = self.origin(from)?;
        let shape = Shape::Instance { class };
        self.objects.push(RawObject { first_slot, shape, creator, found });
        Ok(())
    }

    fn take_array(&mut self, from: &mut Cursor<'a>) -> Result<(), TraceError> {
        let first_slot = from.number()?;
        let type_name = self.name(from)?;
        let length = from.number()?;
        let Some(shift) = u8::try_from(from.number()?).ok().filter(|shift| *shift < 32) else {
            return from.damaged("an impossible number of elements a cell");
        };
        let (creator, found) = self.origin(from)?;
        let shape = Shape::Array { type_name, length, shift };
        self.objects.push(RawObject { first_slot, shape, creator, found });
        Ok(())
    }

    fn origin(&self, from: &mut Cursor<'a>) -> Result<(u32, RawFound), TraceError> {
        let creator = from.number()?;
        if creator as usize > self.epochs.len() {
            return from.damaged("an object made by an epoch that has not begun");
        }
        let found = match from.byte()? {
            found::UNKNOWN => RawFound::Unknown,
            found::IN_CELL => RawFound::InCell(from.number()?),
            found::IN_THREAD => RawFound::InThread(self.name(from)?),
            _ => return from.damaged("an unknown way to an object"),
        };
        Ok((creator, found))
    }

    fn take_epoch(&mut self, from: &mut Cursor<'a>, tests: usize) -> Result<(), TraceError> {
        let Some(kind) = epoch_of_code(from.number()?) else {
            return from.damaged("an unknown kind of epoch");
        };
        let test = from.number()? as usize;
        if test >= tests {
            return Err(TraceError::OtherOrder { position: test, tests });
        }
        let (reads, writes, contents) = (Vec::new(), Vec::new(), Vec::new());
        self.epochs.push(RawEpoch { kind, test, reads, writes, write_records: 0, contents });
        Ok(())
    }

    fn take_writes(&mut self, from: &mut Cursor<'a>) -> Result<(), TraceError> {
        let mut writes = Vec::new();
        let mut end = 0;
        while !from.is_empty() {
            let run = run(from, &mut end, self.stacks.len())?;
            writes.push(RawWrite { run, old: self.value(from)?, new: self.value(from)? });
        }
        let Some(epoch) = self.epochs.last_mut() else {
            return from.damaged("an access before the first epoch");
        };
        epoch.writes.extend(writes);
        epoch.write_records += 1;
        Ok(())
    }

    pub(super) fn value(&self, from: &mut Cursor<'a>) -> Result<Option<Value>, TraceError> {
        Ok(Some(match from.byte()? {
            value::ABSENT => return Ok(None),
            value::NULL => Value::Null,
            value::FALSE => Value::Boolean(false),
            value::TRUE => Value::Boolean(true),
            value::CHARACTER => match u16::try_from(from.number()?) {
                Ok(unit) => Value::Character(unit),
                Err(_) => return from.damaged("a char is too large"),
            },
            value::INTEGER => Value::Integer(from.signed()?),
            value::DECIMAL => Value::Decimal(from.text()?.into()),
            value::TEXT => Value::Text { text: from.text()?.into(), cut: false },
            value::CUT_TEXT => Value::Text { text: from.text()?.into(), cut: true },
            value::CONSTANT => Value::Constant { class: self.name(from)?, name: self.name(from)? },
            value::OBJECT => Value::Object { class: self.name(from)?, id: from.number()? },
            _ => return from.damaged("an unknown kind of value"),
        }))
    }

    /// Calls `visit` for each run of a record of reads.
    pub(super) fn each_read(
        &self,
        record: &Cursor<'a>,
        mut visit: impl FnMut(Run),
    ) -> Result<(), TraceError> {
        let mut from = record.clone();
        let mut end = 0;
        while !from.is_empty() {
            visit(run(&mut from, &mut end, self.stacks.len())?);
        }
        Ok(())
    }
}

/// Calls `visit` with each cell of a record of contents.
pub(super) fn each_content(
    record: &Cursor<'_>,
    mut visit: impl FnMut(u32, Content),
) -> Result<(), TraceError> {
    let mut from = record.clone();
    let mut cell = 0_u32;
    while !from.is_empty() {
        let Some(next) = cell.checked_add(from.number()?) else {
            return from.damaged("a cell beyond the last there can be");
        };
        cell = next;
        let code = from.byte()?;
        let holds = match code & !holds::FIXED {
            holds::UNKNOWN => Holds::Unknown,
            holds::VALUE => Holds::Value(from.eight_bytes()?),
            holds::OBJECT => Holds::Object(from.number()?),
            _ => return from.damaged("an unknown kind of content"),
        };
        visit(cell, Content { holds, is_fixed: code & holds::FIXED != 0 });
    }
    Ok(())
}

/// The next run; `end` is where the one before ended.
fn run(from: &mut Cursor<'_>, end: &mut u64, stacks: usize) -> Result<Run, TraceError> {
    let first = *end + from.long()?.min(u64::from(u32::MAX) + 1);
    let count_and_flag = from.long()?;
    let next = first + (count_and_flag >> 1) + 1;
    if next > u64::from(u32::MAX) + 1 {
        return from.damaged("a cell beyond the last there can be");
    }
    let stack = if count_and_flag & 1 == 0 {
        None
    } else {
        let stack = from.number()?;
        if stack as usize >= stacks {
            return from.damaged("a stack that was never given");
        }
        Some(StackId::at(stack))
    };
    *end = next;
    Ok(Run { first: first as u32, end: next, stack })
}
