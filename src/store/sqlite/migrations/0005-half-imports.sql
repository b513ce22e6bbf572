-- One row while a store is filled from an export: until all of it is in, it serves nobody.
CREATE TABLE half_import (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  import TEXT NOT NULL
) STRICT;
