//! What suites ran with, so that two of their states can be compared.

use std::collections::BTreeMap;

use rusqlite::{OptionalExtension as _, params};

use crate::traces::{pack, unpack};
use crate::values::foreign;
use crate::{Store, StoreError, SuiteKey};

/// Digests by name. What the names mean is up to whoever makes them.
pub type Inventory = BTreeMap<String, String>;

impl Store {
    /// Keeps the inventory of a suite in this state, which never changes.
    pub fn save_inventory(
        &mut self,
        suite: SuiteKey,
        inventory: &Inventory,
    ) -> Result<(), StoreError> {
        let line = |(name, digest): (&String, &String)| format!("{digest} {name}\n");
        let packed = pack(inventory.iter().map(line).collect::<String>().as_bytes());
        self.write(|writer| {
            writer
                .db
                .prepare_cached("INSERT OR IGNORE INTO inventories VALUES (?, ?)")?
                .execute(params![suite.0, packed])?;
            Ok(())
        })
    }

    /// The inventory of a suite, if it was kept.
    pub fn inventory(&self, suite: SuiteKey) -> Result<Option<Inventory>, StoreError> {
        self.read(|db| {
            db.prepare_cached("SELECT packed FROM inventories WHERE suite_id = ?")?
                .query_row([suite.0], |row| {
                    let packed = row.get_ref(0)?.as_blob()?;
                    let text = unpack(packed).map_err(|error| foreign(0, error))?;
                    Ok(lines(&String::from_utf8_lossy(&text)))
                })
                .optional()
        })
    }
}

fn lines(text: &str) -> Inventory {
    let pairs = text.lines().filter_map(|line| line.split_once(' '));
    pairs.map(|(digest, name)| (name.to_owned(), digest.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fingerprint;

    #[test]
    fn an_inventory_belongs_to_one_state_and_stays_as_it_is() {
        let mut store = Store::in_memory().unwrap();
        let state = |digit: &str| Fingerprint::from_hex(&digit.repeat(64)).unwrap();
        let suite = store.suite("core", &state("0")).unwrap();
        let other = store.suite("core", &state("1")).unwrap();
        let entries = [("class a.B", "12"), ("file out/with space.txt", "34")];
        let inventory: Inventory =
            entries.iter().map(|(name, digest)| (name.to_string(), digest.to_string())).collect();
        store.save_inventory(suite, &inventory).unwrap();
        store.save_inventory(suite, &Inventory::new()).unwrap();
        assert_eq!(store.inventory(suite).unwrap(), Some(inventory));
        assert_eq!(store.inventory(other).unwrap(), None);
    }
}
