-- Version 5: speculation. Never edit a published step: add a new one.

-- Static fields were written or read from outside while the order ran: the run
-- is kept beside the plain runs and never answers in their place.
ALTER TABLE runs ADD COLUMN stood_in INTEGER NOT NULL DEFAULT 0;

-- Values that stood in for tests that ran elsewhere.
CREATE TABLE stand_ins (
    run_id    INTEGER NOT NULL REFERENCES runs,
    number    INTEGER NOT NULL,
    position  INTEGER NOT NULL,       -- of the test before which it was put in place
    class     TEXT NOT NULL,
    field     TEXT NOT NULL,
    value     TEXT NOT NULL,          -- as Java code would show it
    PRIMARY KEY (run_id, number)
) WITHOUT ROWID;

-- Values of one test that must not stand in for it before another.
CREATE TABLE refuted_stand_ins (
    suite_id   INTEGER NOT NULL REFERENCES suites,
    reader_id  INTEGER NOT NULL REFERENCES tests,
    writer_id  INTEGER NOT NULL REFERENCES tests,
    run_id     INTEGER NOT NULL REFERENCES runs,  -- where that was seen last
    reason     TEXT NOT NULL,
    PRIMARY KEY (suite_id, reader_id, writer_id)
) WITHOUT ROWID;
