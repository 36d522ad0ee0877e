-- Version 3: what parallel runs taught. Never edit a published step: add a new one.

-- Tests that ended otherwise than in the default order while other JVMs ran at
-- the same time, and as always when their order ran on its own.
CREATE TABLE disturbed_tests (
    suite_id  INTEGER NOT NULL REFERENCES suites,
    test_id   INTEGER NOT NULL REFERENCES tests,
    run_id    INTEGER NOT NULL REFERENCES runs,  -- where it was seen last
    PRIMARY KEY (suite_id, test_id)
) WITHOUT ROWID;
