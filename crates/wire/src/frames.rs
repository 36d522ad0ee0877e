//! Cutting a byte stream into frames.

use crate::bytes::Malformed;
use crate::event::Event;

/// Raised with every change of the protocol.
pub const PROTOCOL_VERSION: u16 = 3;

/// First bytes of either direction: a magic and the protocol version.
pub const PREAMBLE: [u8; 6] = {
    let [high, low] = PROTOCOL_VERSION.to_be_bytes();
    [b'R', b'S', b'D', b'U', high, low]
};

/// Longest frame we accept: a failure with all its frames is far below.
const LONGEST_FRAME: usize = 64 << 20;

/// Turns the bytes of the event stream, in whatever pieces they come, into
/// events.
#[derive(Debug, Default)]
pub struct FrameDecoder {
    pending: Vec<u8>,
    consumed: usize,
    greeted: bool,
}

impl FrameDecoder {
    /// A decoder at the start of a stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds bytes that arrived.
    pub fn push(&mut self, bytes: &[u8]) {
        self.pending.drain(..self.consumed);
        self.consumed = 0;
        self.pending.extend_from_slice(bytes);
    }

    /// The next whole event, or `None` until more bytes arrive.
    pub fn next_event(&mut self) -> Result<Option<Event>, Malformed> {
        if !self.greeted {
            let Some(preamble) = self.pending.get(..PREAMBLE.len()) else { return Ok(None) };
            if preamble != PREAMBLE {
                return Err(Malformed("the stream does not start with this version's preamble"));
            }
            self.greeted = true;
            self.consumed = PREAMBLE.len();
        }
        let rest = &self.pending[self.consumed..];
        let Some(prefix) = rest.first_chunk::<4>() else { return Ok(None) };
        let length = u32::from_be_bytes(*prefix) as usize;
        if length == 0 || length > LONGEST_FRAME {
            return Err(Malformed("a frame has an impossible length"));
        }
        let Some(frame) = rest.get(4..4 + length) else { return Ok(None) };
        let event = Event::decode(frame[0], &frame[1..])?;
        self.consumed += 4 + length;
        Ok(Some(event))
    }
}

/// Appends a frame whose payload `put` writes.
pub(crate) fn put_frame(out: &mut Vec<u8>, kind: u8, put: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    out.extend_from_slice(&[0; 4]);
    out.push(kind);
    put(out);
    let length = u32::try_from(out.len() - start - 4).unwrap_or(u32::MAX);
    out[start..start + 4].copy_from_slice(&length.to_be_bytes());
}
