//! Reading and writing the protocol's primitive values.

/// Bytes that are not what the protocol says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the runner sent malformed data: {0}")]
pub struct Malformed(pub &'static str);

pub(crate) trait Put {
    fn put_u8(&mut self, value: u8);
    fn put_u32(&mut self, value: usize);
    fn put_text(&mut self, text: &str);
    fn put_optional_text(&mut self, text: Option<&str>);

    fn put_list<T>(&mut self, items: &[T], put: impl Fn(&mut Self, &T)) {
        self.put_u32(items.len());
        for item in items {
            put(self, item);
        }
    }

    fn put_pairs(&mut self, pairs: &[(String, String)]) {
        self.put_list(pairs, |out, (name, value)| {
            out.put_text(name);
            out.put_text(value);
        });
    }
}

impl Put for Vec<u8> {
    fn put_u8(&mut self, value: u8) {
        self.push(value);
    }

    fn put_u32(&mut self, value: usize) {
        // A command of 4 GiB would not fit into a Java array either.
        let value = u32::try_from(value).unwrap_or(u32::MAX);
        self.extend_from_slice(&value.to_be_bytes());
    }

    fn put_text(&mut self, text: &str) {
        self.put_u32(text.len());
        self.extend_from_slice(text.as_bytes());
    }

    fn put_optional_text(&mut self, text: Option<&str>) {
        self.put_u8(text.is_some().into());
        if let Some(text) = text {
            self.put_text(text);
        }
    }
}

/// A payload being read from its start.
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn new(payload: &'a [u8]) -> Self {
        Self { rest: payload }
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) =
            self.rest.split_at_checked(count).ok_or(Malformed("a frame ends too early"))?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let bytes = self.take(N)?;
        bytes.try_into().map_err(|_| Malformed("a frame ends too early"))
    }

    pub(crate) fn u8(&mut self) -> Result<u8, Malformed> {
        Ok(self.array::<1>()?[0])
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Malformed> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    pub(crate) fn i32(&mut self) -> Result<i32, Malformed> {
        Ok(i32::from_be_bytes(self.array()?))
    }

    pub(crate) fn u64(&mut self) -> Result<u64, Malformed> {
        Ok(u64::from_be_bytes(self.array()?))
    }

    pub(crate) fn text(&mut self) -> Result<String, Malformed> {
        let length = self.u32()? as usize;
        let bytes = self.take(length)?;
        String::from_utf8(bytes.to_vec()).map_err(|_| Malformed("a text is not UTF-8"))
    }

    pub(crate) fn optional<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Malformed>,
    ) -> Result<Option<T>, Malformed> {
        match self.u8()? {
            0 => Ok(None),
            1 => read(self).map(Some),
            _ => Err(Malformed("an optional value is neither absent nor present")),
        }
    }

    pub(crate) fn list<T>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Result<T, Malformed>,
    ) -> Result<Vec<T>, Malformed> {
        let count = self.u32()?;
        // Grown as items arrive: a false count must not reserve gigabytes.
        let mut items = Vec::new();
        for _ in 0..count {
            items.push(read(self)?);
        }
        Ok(items)
    }

    pub(crate) fn finish(self) -> Result<(), Malformed> {
        if self.rest.is_empty() { Ok(()) } else { Err(Malformed("a frame is too long")) }
    }
}
