-- Version 2: traced runs. Never edit a published step: add a new one.

-- The agent watched the run: it is kept beside the plain runs and never answers
-- in their place.
ALTER TABLE runs ADD COLUMN traced INTEGER NOT NULL DEFAULT 0;

-- What a traced run saw. The file holds everything, as the agent wrote it and
-- compressed (zlib); the tables below hold what people ask about.
CREATE TABLE traces (
    run_id    INTEGER PRIMARY KEY REFERENCES runs,
    settings  TEXT NOT NULL,          -- what decides what is tracked
    file      BLOB NOT NULL
);

-- One test depends on another: read-after-write, write-after-read or
-- write-after-write.
CREATE TABLE dependencies (
    dependency_id  INTEGER PRIMARY KEY,
    run_id         INTEGER NOT NULL REFERENCES traces,
    kind           TEXT NOT NULL,
    later_id       INTEGER NOT NULL REFERENCES tests,
    earlier_id     INTEGER NOT NULL REFERENCES tests,
    locations      INTEGER NOT NULL   -- through how many; a few of them are in flows
);

CREATE INDEX dependencies_by_later ON dependencies (run_id, later_id);
CREATE INDEX dependencies_by_earlier ON dependencies (run_id, earlier_id);

CREATE TABLE trace_locations (
    run_id    INTEGER NOT NULL REFERENCES traces,
    location  INTEGER NOT NULL,
    root      TEXT NOT NULL,          -- static field or thread it is reached from
    path      TEXT NOT NULL,          -- the way from there, with short names
    PRIMARY KEY (run_id, location)
) WITHOUT ROWID;

CREATE TABLE trace_stacks (
    run_id  INTEGER NOT NULL REFERENCES traces,
    stack   INTEGER NOT NULL,
    frames  TEXT NOT NULL,            -- one a line, innermost first
    PRIMARY KEY (run_id, stack)
) WITHOUT ROWID;

-- Locations through which a dependency goes.
CREATE TABLE flows (
    dependency_id  INTEGER NOT NULL REFERENCES dependencies,
    position       INTEGER NOT NULL,
    location       INTEGER NOT NULL,
    created        INTEGER NOT NULL,  -- 1: the earlier test made the object
    old            TEXT,              -- values of the write; of the later one if both write
    new            TEXT,
    earlier_stack  INTEGER,
    later_stack    INTEGER,
    PRIMARY KEY (dependency_id, position)
) WITHOUT ROWID;

CREATE TABLE trace_gaps (
    run_id  INTEGER NOT NULL REFERENCES traces,
    kind    TEXT NOT NULL,
    detail  TEXT NOT NULL,
    times   INTEGER NOT NULL,
    PRIMARY KEY (run_id, kind, detail)
) WITHOUT ROWID;

CREATE VIEW trace_dependencies AS
SELECT 'r' || dependencies.run_id   AS run,
       kind,
       later.name                   AS test,
       earlier.name                 AS depends_on,
       path                         AS location,
       old, new, created,
       earlier_stacks.frames        AS earlier_stack,
       later_stacks.frames          AS later_stack
  FROM dependencies
  JOIN tests AS later   ON later.test_id = later_id
  JOIN tests AS earlier ON earlier.test_id = earlier_id
  JOIN flows USING (dependency_id)
  JOIN trace_locations
    ON trace_locations.run_id = dependencies.run_id
   AND trace_locations.location = flows.location
  LEFT JOIN trace_stacks AS earlier_stacks
    ON earlier_stacks.run_id = dependencies.run_id
   AND earlier_stacks.stack = flows.earlier_stack
  LEFT JOIN trace_stacks AS later_stacks
    ON later_stacks.run_id = dependencies.run_id
   AND later_stacks.stack = flows.later_stack
 ORDER BY dependency_id, flows.position;

DROP VIEW run_summary;

CREATE VIEW run_summary AS
SELECT 'r' || run_id                                        AS run,
       suites.name                                          AS suite,
       substr(suites.fingerprint, 1, 12)                    AS fingerprint,
       datetime(started_at / 1000, 'unixepoch')             AS started_utc,
       round(duration_us / 1e6, 3)                          AS seconds,
       tests, passed, failed, errored, skipped, timed_out, crashed, not_reached,
       deviated IS NOT NULL                                 AS deviated,
       traced,
       substr(order_digest, 1, 12)                          AS order_digest
  FROM runs JOIN suites USING (suite_id)
 ORDER BY run_id;
