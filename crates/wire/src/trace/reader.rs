//! Reading a trace file.

use residue_model::TestId;
use residue_model::trace::Trace;

use super::TraceError;
use super::assemble::assemble;
use super::parse::parse;
use super::property_table;

/// Turns the bytes of a trace file into a [`Trace`].
#[derive(Debug, Clone, Copy)]
pub struct TraceReader<'a> {
    bytes: &'a [u8],
    keep_all: bool,
    contents: bool,
    code: bool,
    property_table: bool,
}

impl<'a> TraceReader<'a> {
    /// A reader of a whole file, or of as much of it as there is.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, keep_all: false, contents: false, code: false, property_table: false }
    }

    /// Keeps reads of locations that no epoch wrote or made. They can never
    /// conflict and are most of all reads, so by default they are dropped.
    pub fn keep_all_reads(self) -> Self {
        Self { keep_all: true, ..self }
    }

    /// Also takes what epochs left in the objects they made.
    pub fn with_contents(self) -> Self {
        Self { contents: true, ..self }
    }

    /// Also takes which code of the project ran.
    pub fn with_code(self) -> Self {
        Self { code: true, ..self }
    }

    /// Also takes what happened to the table in which system properties are
    /// kept. Each property is a location of its own, so by default it is left
    /// out.
    pub fn with_property_table(self) -> Self {
        Self { property_table: true, ..self }
    }

    /// The trace of a run of this order. A file that ends early gives the
    /// trace up to there, with a gap that says so.
    pub fn read(self, order: &[TestId]) -> Result<Trace, TraceError> {
        let parsed = parse(self.bytes, order.len(), self.code)?;
        let mut trace = assemble(parsed, order, self.keep_all, self.contents)?;
        if !self.property_table {
            property_table::leave_out(&mut trace);
        }
        Ok(trace)
    }
}
