//! The store remembers the digests of jars.

use rusqlite::{OptionalExtension as _, params};

use crate::fingerprint::{Digest, DigestCache, Learned};
use crate::values::foreign;
use crate::{Store, StoreError};

impl DigestCache for Store {
    fn recall(&self, path: &str, stamp: &str) -> Result<Option<Digest>, StoreError> {
        self.read(|db| {
            db.prepare_cached("SELECT digest FROM file_digests WHERE path = ? AND stamp = ?")?
                .query_row([path, stamp], |row| {
                    Digest::from_hex(row.get_ref(0)?.as_str()?).map_err(|error| foreign(0, error))
                })
                .optional()
        })
    }

    fn remember(&mut self, learned: &[Learned]) -> Result<(), StoreError> {
        self.write(|writer| {
            let mut replace = writer.db.prepare_cached(
                "INSERT OR REPLACE INTO file_digests (path, stamp, digest) VALUES (?, ?, ?)",
            )?;
            for Learned { path, stamp, digest } in learned {
                replace.execute(params![path, stamp, digest.to_hex().as_str()])?;
            }
            Ok(())
        })
    }
}
