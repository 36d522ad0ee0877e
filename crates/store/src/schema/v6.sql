-- Version 6: causes of findings. Never edit a published step: add a new one.

-- State that was put back, before a test, as it was before the first test.
CREATE TABLE put_back (
    run_id    INTEGER NOT NULL REFERENCES runs,
    number    INTEGER NOT NULL,
    position  INTEGER NOT NULL,       -- of the test before which it was put back
    path      TEXT NOT NULL,
    refused   TEXT,                   -- why that could not be done
    PRIMARY KEY (run_id, number)
) WITHOUT ROWID;
