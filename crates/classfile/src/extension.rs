//! Constants appended to the pool.

use rustc_hash::FxHashMap;

use crate::bytes::{put_u16, put_u32};
use crate::decline::MethodDecline;
use crate::hook::Hook;
use crate::plan::HookMethod;
use crate::pool::tag;

/// The constants that hooks need, made when first asked for.
#[derive(Debug)]
pub(crate) struct Extension<'a> {
    hook_class: &'a str,
    hook_class_index: Option<u16>,
    /// How many constants the pool has with those appended.
    count: usize,
    bytes: Vec<u8>,
    hooks: [Option<u16>; Hook::ALL.len()],
    numbers: FxHashMap<u32, u16>,
    texts: FxHashMap<Box<[u8]>, u16>,
    named: FxHashMap<HookMethod, u16>,
}

impl<'a> Extension<'a> {
    /// For a pool with this count.
    pub(crate) fn new(hook_class: &'a str, count: usize) -> Self {
        Self {
            hook_class,
            hook_class_index: None,
            count,
            bytes: Vec::new(),
            hooks: [None; Hook::ALL.len()],
            numbers: FxHashMap::default(),
            texts: FxHashMap::default(),
            named: FxHashMap::default(),
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The method of a hook.
    pub(crate) fn hook(&mut self, hook: Hook) -> Result<u16, MethodDecline> {
        if let Some(index) = self.hooks[hook as usize] {
            return Ok(index);
        }
        let index = self.static_method(hook.name().as_bytes(), hook.descriptor().as_bytes())?;
        self.hooks[hook as usize] = Some(index);
        Ok(index)
    }

    /// A method that the caller has named.
    pub(crate) fn named(&mut self, method: &HookMethod) -> Result<u16, MethodDecline> {
        if let Some(&index) = self.named.get(method) {
            return Ok(index);
        }
        let index = self.static_method(&method.name, &method.descriptor)?;
        self.named.insert(method.clone(), index);
        Ok(index)
    }

    pub(crate) fn number(&mut self, value: u32) -> Result<u16, MethodDecline> {
        if let Some(&index) = self.numbers.get(&value) {
            return Ok(index);
        }
        let index = self.next()?;
        self.bytes.push(tag::INTEGER);
        put_u32(&mut self.bytes, value);
        self.numbers.insert(value, index);
        Ok(index)
    }

    fn static_method(&mut self, name: &[u8], descriptor: &[u8]) -> Result<u16, MethodDecline> {
        let class = self.class()?;
        let (name, descriptor) = (self.text(name)?, self.text(descriptor)?);
        let name_and_type = self.pair(tag::NAME_AND_TYPE, name, descriptor)?;
        self.pair(tag::METHOD, class, name_and_type)
    }

    fn class(&mut self) -> Result<u16, MethodDecline> {
        if let Some(index) = self.hook_class_index {
            return Ok(index);
        }
        let name = self.text(self.hook_class.as_bytes())?;
        let index = self.next()?;
        self.bytes.push(tag::CLASS);
        put_u16(&mut self.bytes, name);
        self.hook_class_index = Some(index);
        Ok(index)
    }

    fn text(&mut self, text: &[u8]) -> Result<u16, MethodDecline> {
        if let Some(&index) = self.texts.get(text) {
            return Ok(index);
        }
        let length = u16::try_from(text.len()).map_err(|_| MethodDecline::ConstantPoolFull)?;
        let index = self.next()?;
        self.bytes.push(tag::UTF8);
        put_u16(&mut self.bytes, length);
        self.bytes.extend_from_slice(text);
        self.texts.insert(text.into(), index);
        Ok(index)
    }

    fn pair(&mut self, tag: u8, first: u16, second: u16) -> Result<u16, MethodDecline> {
        let index = self.next()?;
        self.bytes.push(tag);
        put_u16(&mut self.bytes, first);
        put_u16(&mut self.bytes, second);
        Ok(index)
    }

    /// Takes an index; the count itself must fit 16 bit too.
    fn next(&mut self) -> Result<u16, MethodDecline> {
        let index = u16::try_from(self.count).ok().filter(|&index| index < u16::MAX);
        let index = index.ok_or(MethodDecline::ConstantPoolFull)?;
        self.count += 1;
        Ok(index)
    }
}
