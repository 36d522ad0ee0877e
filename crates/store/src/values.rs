//! How plain values are written into columns and read back.
//!
//! Nothing is rounded on the way but durations, which keep whole microseconds.

use std::time::Duration;

use residue_model::{OutcomeKind, TestId};
use rusqlite::Row;
use rusqlite::types::Type;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A duration as a column. Longer than 292,000 years counts as that.
pub(crate) fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

pub(crate) fn duration(row: &Row<'_>, column: usize) -> rusqlite::Result<Duration> {
    unsigned(row, column).map(Duration::from_micros)
}

/// A count or a time as a column. SQLite has no larger numbers.
pub(crate) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(crate) fn unsigned(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let number: i64 = row.get(column)?;
    u64::try_from(number).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, number))
}

/// A position in a list as a column.
pub(crate) fn position(index: usize) -> i64 {
    signed(index as u64)
}

pub(crate) fn test(row: &Row<'_>, column: usize) -> rusqlite::Result<TestId> {
    let name = row.get_ref(column)?.as_str()?;
    TestId::parse(name).map_err(|error| foreign(column, error))
}

pub(crate) fn outcome_kind(row: &Row<'_>, column: usize) -> rusqlite::Result<OutcomeKind> {
    let word = row.get_ref(column)?.as_str()?;
    OutcomeKind::from_word(word)
        .ok_or_else(|| foreign(column, format!("`{word}` is not an outcome")))
}

/// The word that serde has for a variant without fields.
pub(crate) fn word<T: Serialize>(value: T) -> rusqlite::Result<String> {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => Ok(word),
        Ok(other) => Err(unwritable(format!("{other} is not a word"))),
        Err(error) => Err(unwritable(error)),
    }
}

pub(crate) fn from_word<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    let word = serde_json::Value::String(row.get(column)?);
    serde_json::from_value(word).map_err(|error| foreign(column, error))
}

pub(crate) fn json<T: Serialize + ?Sized>(value: &T) -> rusqlite::Result<String> {
    serde_json::to_string(value).map_err(unwritable)
}

pub(crate) fn from_json<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    let text = row.get_ref(column)?.as_str()?;
    serde_json::from_str(text).map_err(|error| foreign(column, error))
}

/// A column holds what residue never writes.
pub(crate) fn foreign(
    column: usize,
    reason: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, reason.into())
}

fn unwritable(reason: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> rusqlite::Error {
    rusqlite::Error::ToSqlConversionFailure(reason.into())
}
