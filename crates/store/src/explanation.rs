//! Why a test, a fixture or a class ended as it did: rows of `explanations`.
//!
//! Equal explanations share a row. A cause is a row of its own, so that a long
//! chain of causes is a list and not a deep nesting.

use std::time::Duration;

use residue_model::{Crash, Failure, Frame, Outcome, OutcomeKind};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use crate::values::{duration, foreign, from_json, json, micros};

/// The columns, of which each kind of ending uses a few.
#[derive(Default)]
struct Explanation<'a> {
    exception: Option<&'a str>,
    message: Option<&'a str>,
    frames: Option<String>,
    cause_id: Option<i64>,
    limit_us: Option<i64>,
    crash: Option<&'static str>,
    crash_status: Option<i32>,
}

const EXIT: &str = "exit";
const HALT: &str = "halt";
const SIGNAL: &str = "signal";

/// The row that explains an outcome, if there is anything to say.
pub(crate) fn save_outcome(db: &Connection, outcome: &Outcome) -> rusqlite::Result<Option<i64>> {
    let explanation = match outcome {
        Outcome::Passed | Outcome::NotReached | Outcome::Skipped(None) => return Ok(None),
        Outcome::Failed(failure) | Outcome::Errored(failure) => {
            return save_failure(db, failure).map(Some);
        }
        Outcome::Skipped(Some(reason)) => {
            Explanation { message: Some(reason), ..Explanation::default() }
        }
        Outcome::TimedOut(limit) => {
            Explanation { limit_us: Some(micros(*limit)), ..Explanation::default() }
        }
        Outcome::Crashed(crash) => explain_crash(crash)?,
    };
    save(db, &explanation).map(Some)
}

fn explain_crash(crash: &Crash) -> rusqlite::Result<Explanation<'static>> {
    let (word, status, frames) = match crash {
        Crash::Exit { code, caller } => (EXIT, code, Some(json(caller)?)),
        Crash::Halt { code } => (HALT, code, None),
        Crash::Signal { signal } => (SIGNAL, signal, None),
    };
    Ok(Explanation {
        crash: Some(word),
        crash_status: Some(*status),
        frames,
        ..Explanation::default()
    })
}

/// The row of what was thrown, its causes saved before it.
pub(crate) fn save_failure(db: &Connection, failure: &Failure) -> rusqlite::Result<i64> {
    let chain: Vec<&Failure> =
        std::iter::successors(Some(failure), |failure| failure.cause.as_deref()).collect();
    let mut saved = None;
    for failure in chain.into_iter().rev() {
        let explanation = Explanation {
            exception: Some(&failure.exception),
            message: failure.message.as_deref(),
            frames: Some(json(&failure.frames)?),
            cause_id: saved,
            ..Explanation::default()
        };
        saved = Some(save(db, &explanation)?);
    }
    saved.ok_or(rusqlite::Error::QueryReturnedNoRows)
}

fn save(db: &Connection, explanation: &Explanation<'_>) -> rusqlite::Result<i64> {
    let digest = explanation.digest();
    let found = db
        .prepare_cached("SELECT explanation_id FROM explanations WHERE digest = ?")?
        .query_row([&digest], |row| row.get(0))
        .optional()?;
    if let Some(id) = found {
        return Ok(id);
    }
    db.prepare_cached(
        "INSERT INTO explanations (digest, exception, message, frames, cause_id,
                                   limit_us, crash, crash_status)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    )?
    .insert(params![
        digest,
        explanation.exception,
        explanation.message,
        explanation.frames,
        explanation.cause_id,
        explanation.limit_us,
        explanation.crash,
        explanation.crash_status,
    ])
}

impl Explanation<'_> {
    fn digest(&self) -> String {
        let number = |number: Option<i64>| number.map(|number| number.to_string());
        let columns = [
            self.exception.map(str::to_owned),
            self.message.map(str::to_owned),
            self.frames.clone(),
            number(self.cause_id),
            number(self.limit_us),
            self.crash.map(str::to_owned),
            number(self.crash_status.map(i64::from)),
        ];
        let mut hasher = blake3::Hasher::new();
        for column in &columns {
            // The length, so that no text can pass for its neighbour's.
            let length = column.as_ref().map_or(u64::MAX, |text| text.len() as u64);
            hasher.update(&length.to_le_bytes());
            hasher.update(column.as_deref().unwrap_or_default().as_bytes());
        }
        hasher.finalize().to_hex().to_string()
    }
}

/// The outcome of a kind, with its explanation read back.
pub(crate) fn load_outcome(
    db: &Connection,
    kind: OutcomeKind,
    explanation: Option<i64>,
) -> rusqlite::Result<Outcome> {
    let explained =
        || explanation.ok_or_else(|| foreign(0, format!("`{}` is not explained", kind.as_str())));
    Ok(match kind {
        OutcomeKind::Passed => Outcome::Passed,
        OutcomeKind::NotReached => Outcome::NotReached,
        OutcomeKind::Failed => Outcome::Failed(load_failure(db, explained()?)?),
        OutcomeKind::Errored => Outcome::Errored(load_failure(db, explained()?)?),
        OutcomeKind::TimedOut => Outcome::TimedOut(load_limit(db, explained()?)?),
        OutcomeKind::Crashed => Outcome::Crashed(load_crash(db, explained()?)?),
        OutcomeKind::Skipped => {
            Outcome::Skipped(explanation.map(|id| load_reason(db, id)).transpose()?)
        }
    })
}

/// What was thrown, with its causes.
pub(crate) fn load_failure(db: &Connection, id: i64) -> rusqlite::Result<Failure> {
    let mut select = db.prepare_cached(
        "SELECT exception, message, frames, cause_id FROM explanations WHERE explanation_id = ?",
    )?;
    let mut chain: Vec<Failure> = Vec::new();
    let mut next = Some(id);
    while let Some(id) = next {
        let (failure, cause): (Failure, Option<i64>) =
            select.query_row([id], |row| Ok((link(row)?, row.get(3)?)))?;
        // Causes are saved first; anything else could go round in circles.
        if cause.is_some_and(|cause| cause >= id) {
            return Err(foreign(3, format!("explanation {id} causes itself")));
        }
        chain.push(failure);
        next = cause;
    }
    let whole = chain
        .into_iter()
        .rev()
        .reduce(|cause, failure| Failure { cause: Some(Box::new(cause)), ..failure });
    whole.ok_or(rusqlite::Error::QueryReturnedNoRows)
}

/// One link in a chain of causes.
fn link(row: &Row<'_>) -> rusqlite::Result<Failure> {
    Ok(Failure {
        exception: row.get(0)?,
        message: row.get(1)?,
        frames: from_json(row, 2)?,
        cause: None,
    })
}

fn load_reason(db: &Connection, id: i64) -> rusqlite::Result<String> {
    db.prepare_cached("SELECT message FROM explanations WHERE explanation_id = ?")?
        .query_row([id], |row| row.get(0))
}

fn load_limit(db: &Connection, id: i64) -> rusqlite::Result<Duration> {
    db.prepare_cached("SELECT limit_us FROM explanations WHERE explanation_id = ?")?
        .query_row([id], |row| duration(row, 0))
}

fn load_crash(db: &Connection, id: i64) -> rusqlite::Result<Crash> {
    db.prepare_cached(
        "SELECT crash, crash_status, frames FROM explanations WHERE explanation_id = ?",
    )?
    .query_row([id], |row| {
        let (word, status): (String, i32) = (row.get(0)?, row.get(1)?);
        match word.as_str() {
            EXIT => {
                let caller: Vec<Frame> = from_json(row, 2)?;
                Ok(Crash::Exit { code: status, caller })
            }
            HALT => Ok(Crash::Halt { code: status }),
            SIGNAL => Ok(Crash::Signal { signal: status }),
            other => Err(foreign(0, format!("`{other}` is not a crash"))),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect;

    fn failure(exception: &str, cause: Option<Failure>) -> Failure {
        Failure {
            exception: exception.into(),
            message: Some("m".into()),
            frames: vec![],
            cause: cause.map(Box::new),
        }
    }

    fn count(db: &Connection) -> i64 {
        db.query_row("SELECT count(*) FROM explanations", [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn equal_failures_and_equal_causes_share_a_row() {
        let (db, _) = connect::open_in_memory().unwrap();
        let shared = failure("Root", None);
        let first = save_failure(&db, &failure("A", Some(shared.clone()))).unwrap();
        let again = save_failure(&db, &failure("A", Some(shared.clone()))).unwrap();
        let other = save_failure(&db, &failure("B", Some(shared))).unwrap();
        assert_eq!(first, again);
        assert_ne!(first, other);
        assert_eq!(count(&db), 3);
    }

    #[test]
    fn a_chain_of_a_thousand_causes_comes_back() {
        let (db, _) = connect::open_in_memory().unwrap();
        let long = (0..1000).fold(None, |cause, n| Some(failure(&format!("E{n}"), cause)));
        let long = long.unwrap();
        let id = save_failure(&db, &long).unwrap();
        assert_eq!(load_failure(&db, id).unwrap(), long);
    }

    #[test]
    fn a_cause_that_goes_round_in_circles_is_refused() {
        let (db, _) = connect::open_in_memory().unwrap();
        let id = save_failure(&db, &failure("A", None)).unwrap();
        db.execute("UPDATE explanations SET cause_id = explanation_id", []).unwrap();
        assert!(load_failure(&db, id).is_err());
    }

    #[test]
    fn a_missing_reason_is_not_an_empty_one() {
        let (db, _) = connect::open_in_memory().unwrap();
        for outcome in [Outcome::Skipped(None), Outcome::Skipped(Some(String::new()))] {
            let id = save_outcome(&db, &outcome).unwrap();
            assert_eq!(load_outcome(&db, OutcomeKind::Skipped, id).unwrap(), outcome);
        }
    }
}
