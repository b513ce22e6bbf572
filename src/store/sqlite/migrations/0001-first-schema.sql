-- Keys begin with the pool's number, so that the same tables can be distributed by it elsewhere.
-- Ids, hashes and raw amounts are blobs (bytes; minimal big-endian two's complement): they are
-- never computed with here, and half the size of their text.

CREATE TABLE header (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  revision INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  chain_id INTEGER NOT NULL,
  network TEXT NOT NULL,
  origin_hash BLOB,
  indexed_block INTEGER,
  indexed_hash BLOB,
  indexed_ts INTEGER,
  settled_block INTEGER,
  settled_hash BLOB,
  settled_ts INTEGER,
  head_block INTEGER,
  head_hash BLOB,
  head_ts INTEGER,
  verified INTEGER NOT NULL,
  repairs INTEGER NOT NULL,
  backfill_phase TEXT NOT NULL,
  backfill_done INTEGER NOT NULL,
  backfill_total INTEGER NOT NULL,
  history_block INTEGER,
  history_hash BLOB,
  history_ts INTEGER,
  history_floor INTEGER,
  history_top INTEGER,
  history_pool_max INTEGER,
  enriched_ts INTEGER,
  writer_started_ts INTEGER
) STRICT;

CREATE TABLE blocks (
  block INTEGER PRIMARY KEY,
  hash BLOB NOT NULL,
  ts INTEGER NOT NULL
) STRICT;

CREATE TABLE pools (
  number INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  version TEXT NOT NULL,
  venue BLOB NOT NULL,
  token0 BLOB NOT NULL,
  token1 BLOB NOT NULL,
  fee INTEGER NOT NULL,
  tick_spacing INTEGER NOT NULL,
  hooks BLOB,
  created_block INTEGER NOT NULL,
  created_ts INTEGER NOT NULL,
  sqrt_price_x96 BLOB,
  tick INTEGER,
  liquidity BLOB NOT NULL,
  reserve0 BLOB,
  reserve1 BLOB,
  map_fault TEXT,
  last_swap_ts INTEGER,
  last_swap_block INTEGER,
  last_swap_fee INTEGER,
  last_hot_ts INTEGER,
  revision INTEGER NOT NULL
) STRICT;

CREATE INDEX pools_by_revision ON pools (revision);
CREATE INDEX pools_by_creation ON pools (created_block, number);

CREATE TABLE ticks (
  pool INTEGER NOT NULL,
  tick INTEGER NOT NULL,
  net BLOB NOT NULL,
  gross BLOB NOT NULL,
  PRIMARY KEY (pool, tick)
) STRICT, WITHOUT ROWID;

-- Rows in the order of their arrival: appending is what a backfill does all day, and clustering
-- them by pool would touch a page per pool and batch instead.
CREATE TABLE swaps (
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
  PRIMARY KEY (pool, block, log_index)
) STRICT;

-- Holds all that volumes need, in the order in which they are grouped.
CREATE INDEX swaps_by_second ON swaps (ts, pool, block, usd_micro, estimated);

CREATE TABLE liquidity_changes (
  pool INTEGER NOT NULL,
  block INTEGER NOT NULL,
  log_index INTEGER NOT NULL,
  ts INTEGER NOT NULL,
  tx_hash BLOB NOT NULL,
  tick_lower INTEGER NOT NULL,
  tick_upper INTEGER NOT NULL,
  liquidity_delta BLOB NOT NULL,
  PRIMARY KEY (pool, block, log_index)
) STRICT;

-- A range of blocks is read again when it settles.
CREATE INDEX liquidity_changes_by_block ON liquidity_changes (block, log_index);

CREATE TABLE candles (
  pool INTEGER NOT NULL,
  width INTEGER NOT NULL,
  ts INTEGER NOT NULL,
  open REAL NOT NULL,
  high REAL NOT NULL,
  low REAL NOT NULL,
  close REAL NOT NULL,
  usd_micro INTEGER NOT NULL,
  swaps INTEGER NOT NULL,
  unpriced INTEGER NOT NULL,
  estimated INTEGER NOT NULL,
  reserve0 REAL,
  reserve1 REAL,
  PRIMARY KEY (pool, width, ts)
) STRICT, WITHOUT ROWID;

-- To find the minutes that are to be forgotten without looking at every pool.
CREATE INDEX candles_of_minutes ON candles (ts) WHERE width = 60;

CREATE TABLE reference_points (
  address BLOB NOT NULL,
  width INTEGER NOT NULL,
  ts INTEGER NOT NULL,
  usd REAL NOT NULL,
  source TEXT NOT NULL,
  rank INTEGER NOT NULL,
  PRIMARY KEY (address, width, ts)
) STRICT, WITHOUT ROWID;

CREATE INDEX reference_points_of_minutes ON reference_points (ts) WHERE width = 60;

CREATE TABLE quotes (
  address BLOB NOT NULL,
  source TEXT NOT NULL,
  per TEXT NOT NULL,
  bid REAL,
  ask REAL,
  last REAL,
  published_ts INTEGER NOT NULL,
  fetched_ts INTEGER NOT NULL,
  halted INTEGER NOT NULL,
  PRIMARY KEY (address, source)
) STRICT, WITHOUT ROWID;

CREATE TABLE reserves (
  pool INTEGER NOT NULL,
  source TEXT NOT NULL,
  amount0 REAL,
  amount1 REAL,
  ts INTEGER NOT NULL,
  PRIMARY KEY (pool, source)
) STRICT, WITHOUT ROWID;

-- Each of the three is known or has a fault that says why not, never both, never neither.
CREATE TABLE tokens (
  address BLOB PRIMARY KEY,
  symbol TEXT,
  symbol_fault TEXT,
  name TEXT,
  name_fault TEXT,
  decimals INTEGER,
  decimals_fault TEXT,
  revision INTEGER NOT NULL,
  CHECK ((symbol IS NULL) <> (symbol_fault IS NULL)),
  CHECK ((name IS NULL) <> (name_fault IS NULL)),
  CHECK ((decimals IS NULL) <> (decimals_fault IS NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX tokens_by_revision ON tokens (revision, address);

CREATE TABLE stocks (
  address BLOB PRIMARY KEY,
  symbol TEXT NOT NULL,
  name TEXT NOT NULL,
  issuer TEXT,
  decimals INTEGER NOT NULL,
  feed BLOB,
  verdict TEXT NOT NULL,
  multiplier BLOB,
  pending_multiplier BLOB,
  multiplier_effective_ts INTEGER,
  oracle_paused INTEGER,
  read_ts INTEGER,
  revision INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX stocks_by_revision ON stocks (revision, address);

-- Stocks of which no pool is missing.
CREATE TABLE searched (
  address BLOB PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE TABLE sources (
  source TEXT PRIMARY KEY,
  enabled INTEGER NOT NULL,
  last_attempt_ts INTEGER,
  last_success_ts INTEGER,
  last_error TEXT,
  partial INTEGER NOT NULL,
  failures INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
