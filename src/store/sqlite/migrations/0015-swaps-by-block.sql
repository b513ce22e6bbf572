-- Swaps lie in the order of blocks, with one index by pool. Block times never decrease, so that a
-- sixteenth of the swaps suffices to find the blocks of a time.
CREATE TABLE swaps_by_block (
  pool INTEGER NOT NULL,
  block INTEGER NOT NULL,
  log_index INTEGER NOT NULL,
  ts INTEGER NOT NULL,
  tx_hash BLOB NOT NULL,
  amount0 BLOB NOT NULL,
  amount1 BLOB NOT NULL,
  sqrt_price_x96 BLOB NOT NULL,
  liquidity BLOB NOT NULL,
  tick INTEGER NOT NULL,
  fee INTEGER,
  sender BLOB NOT NULL,
  recipient BLOB,
  usd_micro INTEGER,
  estimated INTEGER NOT NULL,
  implausible INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (block, log_index, pool)
) STRICT, WITHOUT ROWID;

-- In the order of arrival, which is nearly that of blocks: sorting them would fill the memory.
INSERT INTO swaps_by_block SELECT * FROM swaps;
DROP TABLE swaps;
ALTER TABLE swaps_by_block RENAME TO swaps;

CREATE INDEX swaps_by_pool ON swaps (pool, block, log_index);
CREATE INDEX swaps_by_time ON swaps (ts) WHERE block % 16 = 0;

-- From here on a block is kept for a day after it is finalized.
DELETE FROM blocks WHERE ts < (SELECT settled_ts - 86400 FROM header);
