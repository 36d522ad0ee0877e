-- Version 1. Never edit a published step: add a new one.
-- No STRICT tables, so that sqlite3 shells older than 3.37 read the file too.
-- Durations are microseconds, points in time milliseconds since 1970 (UTC).

-- A suite in one state of its class files, class path, flags and environment.
CREATE TABLE suites (
    suite_id     INTEGER PRIMARY KEY,
    name         TEXT NOT NULL,
    fingerprint  TEXT NOT NULL,
    first_seen   INTEGER NOT NULL,
    listed_at    INTEGER,             -- null until the suite's tests are listed
    UNIQUE (name, fingerprint)
);

CREATE TABLE tests (
    test_id  INTEGER PRIMARY KEY,
    name     TEXT NOT NULL UNIQUE
);

-- Why something ended as it did. Runs repeat the same failures over and over,
-- so equal explanations are kept once, found by the digest of their columns.
CREATE TABLE explanations (
    explanation_id  INTEGER PRIMARY KEY,
    digest          TEXT NOT NULL UNIQUE,
    exception       TEXT,             -- failed, errored
    message         TEXT,             -- failed, errored; skipped: the reason
    frames          TEXT,             -- JSON array, innermost first; exit: who called it
    cause_id        INTEGER REFERENCES explanations,
    limit_us        INTEGER,          -- timed-out
    crash           TEXT,             -- crashed: exit, halt or signal
    crash_status    INTEGER           -- crashed: exit status or signal number
);

CREATE TABLE listed_tests (
    suite_id   INTEGER NOT NULL REFERENCES suites,
    position   INTEGER NOT NULL,
    test_id    INTEGER NOT NULL REFERENCES tests,
    framework  TEXT NOT NULL,
    locator    TEXT NOT NULL,
    PRIMARY KEY (suite_id, position)
) WITHOUT ROWID;

CREATE TABLE unlistable_classes (
    suite_id        INTEGER NOT NULL REFERENCES suites,
    position        INTEGER NOT NULL,
    class           TEXT NOT NULL,
    explanation_id  INTEGER NOT NULL REFERENCES explanations,
    PRIMARY KEY (suite_id, position)
) WITHOUT ROWID;

-- AUTOINCREMENT: users note down run numbers, so a number is never given twice.
CREATE TABLE runs (
    run_id             INTEGER PRIMARY KEY AUTOINCREMENT,
    suite_id           INTEGER NOT NULL REFERENCES suites,
    order_digest       TEXT NOT NULL,
    per_test_limit_us  INTEGER NOT NULL,
    per_run_limit_us   INTEGER NOT NULL,
    started_at         INTEGER NOT NULL,
    duration_us        INTEGER NOT NULL,
    deviated           TEXT,          -- JSON array of positions as they began
    tests              INTEGER NOT NULL,
    passed             INTEGER NOT NULL,
    failed             INTEGER NOT NULL,
    errored            INTEGER NOT NULL,
    skipped            INTEGER NOT NULL,
    timed_out          INTEGER NOT NULL,
    crashed            INTEGER NOT NULL,
    not_reached        INTEGER NOT NULL
);

-- A question is a suite, an order and limits.
CREATE INDEX runs_by_question
    ON runs (suite_id, order_digest, per_test_limit_us, per_run_limit_us);

-- The tests by position are the order that was asked.
CREATE TABLE results (
    run_id          INTEGER NOT NULL REFERENCES runs,
    position        INTEGER NOT NULL,
    test_id         INTEGER NOT NULL REFERENCES tests,
    outcome         TEXT NOT NULL,
    duration_us     INTEGER NOT NULL,
    explanation_id  INTEGER REFERENCES explanations,
    PRIMARY KEY (run_id, position)
) WITHOUT ROWID;

CREATE TABLE outputs (
    run_id    INTEGER NOT NULL REFERENCES runs,
    position  INTEGER NOT NULL,
    stdout    TEXT NOT NULL,
    stderr    TEXT NOT NULL,
    dropped   INTEGER NOT NULL,       -- bytes beyond the limit
    PRIMARY KEY (run_id, position)
);

CREATE TABLE unrequested (
    run_id          INTEGER NOT NULL REFERENCES runs,
    position        INTEGER NOT NULL,
    test_id         INTEGER NOT NULL REFERENCES tests,
    outcome         TEXT NOT NULL,
    explanation_id  INTEGER REFERENCES explanations,
    PRIMARY KEY (run_id, position)
) WITHOUT ROWID;

CREATE TABLE fixture_failures (
    run_id          INTEGER NOT NULL REFERENCES runs,
    position        INTEGER NOT NULL,
    class           TEXT NOT NULL,
    phase           TEXT NOT NULL,    -- before-class or after-class
    explanation_id  INTEGER NOT NULL REFERENCES explanations,
    PRIMARY KEY (run_id, position)
) WITHOUT ROWID;

CREATE TABLE left_behind (
    run_id    INTEGER NOT NULL REFERENCES runs,
    position  INTEGER NOT NULL,
    kind      TEXT NOT NULL,          -- thread, file or hung-at-exit
    test_id   INTEGER REFERENCES tests,
    name      TEXT,                   -- of the thread; path of the file
    change    TEXT,                   -- created, modified or deleted
    PRIMARY KEY (run_id, position)
) WITHOUT ROWID;

-- Digests of large files, so that jars are not read again for each fingerprint.
CREATE TABLE file_digests (
    path    TEXT PRIMARY KEY,
    stamp   TEXT NOT NULL,            -- size, inode, times of change
    digest  TEXT NOT NULL
) WITHOUT ROWID;

-- A dependent test with its proof, as the JSON of the report's format.
-- A later analysis of the same state brings the same finding up to date.
CREATE TABLE findings (
    finding_id  INTEGER PRIMARY KEY AUTOINCREMENT,
    suite_id    INTEGER NOT NULL REFERENCES suites,
    test_id     INTEGER NOT NULL REFERENCES tests,
    role        TEXT NOT NULL,
    found_at    INTEGER NOT NULL,
    document    TEXT NOT NULL,
    UNIQUE (suite_id, test_id)
);

CREATE VIEW run_summary AS
SELECT 'r' || run_id                                        AS run,
       suites.name                                          AS suite,
       substr(suites.fingerprint, 1, 12)                    AS fingerprint,
       datetime(started_at / 1000, 'unixepoch')             AS started_utc,
       round(duration_us / 1e6, 3)                          AS seconds,
       tests, passed, failed, errored, skipped, timed_out, crashed, not_reached,
       deviated IS NOT NULL                                 AS deviated,
       substr(order_digest, 1, 12)                          AS order_digest
  FROM runs JOIN suites USING (suite_id)
 ORDER BY run_id;

CREATE VIEW run_results AS
SELECT 'r' || results.run_id              AS run,
       suites.name                        AS suite,
       results.position + 1               AS position,
       tests.name                         AS test,
       results.outcome                    AS outcome,
       round(results.duration_us / 1e3, 3) AS milliseconds,
       coalesce(explanations.exception,
                crash || ' ' || crash_status) AS exception,
       explanations.message               AS message,
       results.run_id                     AS run_id
  FROM results
  JOIN runs ON runs.run_id = results.run_id
  JOIN suites ON suites.suite_id = runs.suite_id
  JOIN tests ON tests.test_id = results.test_id
  LEFT JOIN explanations ON explanations.explanation_id = results.explanation_id
 ORDER BY results.run_id, results.position;

CREATE VIEW stack_frames AS
SELECT explanation_id,
       frame.key + 1                             AS depth,
       json_extract(frame.value, '$.class')      AS class,
       json_extract(frame.value, '$.method')     AS method,
       json_extract(frame.value, '$.file')       AS file,
       json_extract(frame.value, '$.line')       AS line
  FROM explanations, json_each(explanations.frames) AS frame;

CREATE VIEW dependent_tests AS
SELECT 'f' || finding_id                         AS finding,
       suites.name                               AS suite,
       tests.name                                AS test,
       role,
       datetime(found_at / 1000, 'unixepoch')    AS found_utc
  FROM findings
  JOIN suites USING (suite_id)
  JOIN tests USING (test_id)
 ORDER BY finding_id;
