-- How far the first reading of a long chain is; no rows before it begins and after it has ended.
CREATE TABLE first_reading (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  steps INTEGER NOT NULL,
  to_block INTEGER NOT NULL,
  to_hash BLOB NOT NULL,
  to_ts INTEGER NOT NULL,
  found_to INTEGER NOT NULL
) STRICT;

-- Up to which block the ticks of its pools are read.
CREATE TABLE first_maps (
  pool INTEGER PRIMARY KEY,
  mapped_to INTEGER NOT NULL
) STRICT;
