//! Puts a class together again from what was copied and what was changed.

use crate::bytes::{put_u16, put_u32};
use crate::class_file::{ClassFile, Declaration};
use crate::code::Code;
use crate::decline::MethodDecline;
use crate::emit;
use crate::extension::Extension;
use crate::frame_states::{self, FrameState};
use crate::interest::is_interesting;
use crate::layout::{Layout, Relocation};
use crate::method::{ClassState, MethodKind, Scratch, Tally, Walk, frame_at};
use crate::name::text;
use crate::plan::{Entries, EntryCall, FieldIds, Plan};
use crate::references::References;
use crate::rewritten::{DeclinedMethod, MethodCode, Rewritten};
use crate::shape::Shape;

const ACC_STATIC: u16 = 0x0008;

/// Access flags, name, descriptor and the number of attributes.
const MEMBER_HEADER_LENGTH: usize = 8;

/// HotSpot does not compile methods with more bytes of code.
const COMPILE_LIMIT: usize = 8_000;

/// Before this version, code verifies without stack map frames.
const FIRST_VERSION_WITH_FRAMES: u16 = 50;

/// Inserts all hooks.
pub(crate) fn rewrite(class: &ClassFile<'_>, plan: &Plan<'_>, ids: &mut dyn FieldIds) -> Rewritten {
    let mut rewriter = Rewriter {
        class,
        entries: plan.entries.of_class(class.name),
        state: ClassState {
            references: References::new(class, plan.replacements),
            extension: Extension::new(plan.hook_class, class.pool.count()),
            ids,
            number: plan.watch,
            next_block: plan.watch.unwrap_or(0),
        },
        shape: Shape::default(),
        layout: Layout::default(),
        scratch: Scratch::default(),
        methods: Vec::new(),
        first_block_of_method: plan.watch.unwrap_or(0),
        result: Rewritten::default(),
    };
    for method in &class.methods {
        rewriter.method(method);
    }
    rewriter.finish()
}

struct Rewriter<'c, 'a> {
    class: &'c ClassFile<'a>,
    entries: Entries<'c>,
    state: ClassState<'c, 'a>,
    shape: Shape,
    layout: Layout,
    scratch: Scratch,
    /// The methods so far, as they go into the new class.
    methods: Vec<u8>,
    first_block_of_method: u32,
    result: Rewritten,
}

impl<'a> Rewriter<'_, 'a> {
    fn method(&mut self, method: &Declaration<'a>) {
        let is_static = method.access & ACC_STATIC != 0;
        let entry = self.entries.get(method.name, method.descriptor, is_static);
        let start = self.methods.len();
        let mut changed = self.changed(method, entry);
        if let Some(number) = self.state.number {
            let unwatched = changed.as_ref().err().copied();
            self.note_code(method, unwatched);
            if unwatched.is_some() {
                // What is accessed matters more than what runs.
                self.methods.truncate(start);
                self.state.number = None;
                changed = self.changed(method, entry);
                self.state.number = Some(number);
            }
        }
        match changed {
            Ok(Some(tally)) => {
                self.result.sites += tally.sites;
                self.result.redundant += tally.redundant;
                return;
            }
            Ok(None) => {}
            Err(reason) => {
                let method = format!("{}{}", text(method.name), text(method.descriptor));
                self.result.declined_methods.push(DeclinedMethod { method, reason });
            }
        }
        self.methods.truncate(start);
        self.methods.extend_from_slice(method.bytes);
    }

    /// Tells of a method with code, and gives its blocks their numbers for good
    /// unless there is a reason why they cannot be watched.
    fn note_code(&mut self, method: &Declaration<'a>, unwatched: Option<MethodDecline>) {
        let blocks = std::mem::take(&mut self.scratch.blocks.list);
        if unwatched.is_some() {
            self.state.next_block = self.first_block_of_method;
        } else if blocks.is_empty() {
            return;
        }
        self.first_block_of_method = self.state.next_block;
        self.result.code.push(MethodCode {
            name: text(method.name).into_owned(),
            descriptor: text(method.descriptor).into_owned(),
            blocks: if unwatched.is_none() { blocks } else { Vec::new() },
            unwatched,
        });
    }

    /// Appends the method with hooks, unless there is nothing to hook.
    fn changed(
        &mut self,
        method: &Declaration<'a>,
        entry: Option<&EntryCall>,
    ) -> Result<Option<Tally>, MethodDecline> {
        let pool = &self.class.pool;
        self.scratch.blocks.clear();
        let mut attributes = method.attributes.iter(pool);
        let Some(attribute) = attributes.find(|attribute| attribute.name == b"Code") else {
            return if entry.is_some() { Err(MethodDecline::NoCode) } else { Ok(None) };
        };
        let code = Code::parse(attribute.content, pool)?;
        let Some(tally) = self.edit(method, &code, entry)? else { return Ok(None) };
        let (before, list) = method.bytes.split_at(MEMBER_HEADER_LENGTH);
        self.methods.extend_from_slice(before);
        self.methods.extend_from_slice(&list[..attribute.range.start]);
        put_u16(&mut self.methods, attribute.name_index);
        let length_at = self.methods.len();
        put_u32(&mut self.methods, 0);
        self.put_code(&code)?;
        let length = (self.methods.len() - length_at - 4) as u32;
        self.methods[length_at..length_at + 4].copy_from_slice(&length.to_be_bytes());
        self.methods.extend_from_slice(&list[attribute.range.end..]);
        Ok(Some(tally))
    }

    /// Decides what to insert and where everything goes.
    fn edit(
        &mut self,
        method: &Declaration<'a>,
        code: &Code<'a>,
        entry: Option<&EntryCall>,
    ) -> Result<Option<Tally>, MethodDecline> {
        let kind = match method.name {
            b"<init>" => MethodKind::Constructor,
            b"<clinit>" => MethodKind::ClassInitializer,
            _ => MethodKind::Ordinary,
        };
        self.shape.examine(code)?;
        let is_watched = self.state.number.is_some();
        if is_watched {
            self.scratch.blocks.divide(code, &self.shape, &self.class.pool)?;
        }
        let is_candidate = is_watched
            || kind == MethodKind::ClassInitializer
            || entry.is_some()
            || self.shape.has_accesses && is_interesting(code.instructions, &mut self.state)?;
        if !is_candidate {
            return Ok(None);
        }
        let constructor = (kind == MethodKind::Constructor).then_some(method.descriptor);
        let frames = self.frames(code, constructor)?;
        let Self { shape, state, scratch, .. } = self;
        let tally = Walk::run(kind, code, shape, &frames, entry, state, scratch)?;
        if tally.sites == 0 {
            // Nothing will be written, but what was found superfluous counts.
            self.result.redundant += tally.redundant;
            return Ok(None);
        }
        let needs_frames = self.class.version >= FIRST_VERSION_WITH_FRAMES;
        self.layout.lay_out(code.instructions, &mut self.scratch.edits, |at| {
            !needs_frames || frame_at(&frames, at)
        })?;
        Ok(Some(tally))
    }

    fn frames(
        &self,
        code: &Code<'a>,
        constructor: Option<&[u8]>,
    ) -> Result<Vec<FrameState>, MethodDecline> {
        let mut attributes = code.attributes.iter(&self.class.pool);
        match attributes.find(|attribute| attribute.name == b"StackMapTable") {
            Some(table) => frame_states::read(table.content, &self.shape, constructor),
            None => Ok(Vec::new()),
        }
    }

    fn put_code(&mut self, code: &Code<'a>) -> Result<(), MethodDecline> {
        let needed = self.scratch.machine.needed();
        let max_stack = u16::try_from(needed).map_err(|_| MethodDecline::StackTooDeep)?;
        let edits = &self.scratch.edits;
        let relocation = Relocation { shape: &self.shape, layout: &self.layout, edits };
        emit::code_attribute(code, max_stack, &relocation, &self.class.pool, &mut self.methods)?;
        let is_past_limit = self.layout.code_length() > COMPILE_LIMIT;
        if is_past_limit && code.instructions.len() <= COMPILE_LIMIT {
            self.result.grown_past_compile_limit += 1;
        }
        Ok(())
    }

    fn finish(mut self) -> Rewritten {
        if self.result.sites == 0 {
            return self.result;
        }
        let Self { class, state: ClassState { extension, .. }, methods, .. } = &self;
        let mut out =
            Vec::with_capacity(class.bytes.len() + extension.bytes().len() + methods.len());
        out.extend_from_slice(&class.bytes[..8]);
        put_u16(&mut out, extension.count() as u16);
        out.extend_from_slice(&class.bytes[10..class.pool_end]);
        out.extend_from_slice(extension.bytes());
        out.extend_from_slice(&class.bytes[class.pool_end..class.methods_start + 2]);
        out.extend_from_slice(methods);
        out.extend_from_slice(&class.bytes[class.attributes_start..]);
        self.result.bytes = Some(out);
        self.result
    }
}
