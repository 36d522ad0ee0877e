-- Version 4: what a suite ran with, thing by thing. Never edit a published step: add a new one.

-- A digest for each class and other file in the folders of the class path, for
-- each jar and for all else, so that two states of a suite can be compared.
CREATE TABLE inventories (
    suite_id  INTEGER PRIMARY KEY REFERENCES suites,
    packed    BLOB NOT NULL  -- zlib: one line each, digest and name
);
