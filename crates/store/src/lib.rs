//! Every run that ever happened, in one SQLite file.
