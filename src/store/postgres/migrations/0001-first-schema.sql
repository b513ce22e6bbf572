-- The tables of the embedded store (src/store/sqlite/migrations), in the same order of columns.
-- Keys begin with the pool's number, so that the tables can be distributed by it.
-- Ids, hashes and raw amounts are bytea (amounts: minimal big-endian two's complement): they are
-- never computed with here, and half the size of their text. No text holds a NUL: see text.ts.
-- COLLATE "C" where rows are put in order by a text: bytes, whatever the database's locale.

-- Who may write: the generation grows whenever the lease changes hands.
CREATE TABLE lease (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  generation BIGINT NOT NULL,
  holder TEXT,
  renewed_at TIMESTAMPTZ
);

CREATE TABLE header (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  revision BIGINT NOT NULL,
  epoch BIGINT NOT NULL,
  chain_id BIGINT NOT NULL,
  network TEXT NOT NULL,
  origin_hash BYTEA,
  indexed_block BIGINT,
  indexed_hash BYTEA,
  indexed_ts BIGINT,
  settled_block BIGINT,
  settled_hash BYTEA,
  settled_ts BIGINT,
  head_block BIGINT,
  head_hash BYTEA,
  head_ts BIGINT,
  verified SMALLINT NOT NULL,
  repairs BIGINT NOT NULL,
  backfill_phase TEXT NOT NULL,
  backfill_done BIGINT NOT NULL,
  backfill_total BIGINT NOT NULL,
  history_block BIGINT,
  history_hash BYTEA,
  history_ts BIGINT,
  history_floor BIGINT,
  history_top BIGINT,
  history_pool_max BIGINT,
  enriched_ts BIGINT,
  writer_started_ts BIGINT,
  -- Of the last write: a writer that did not hear the answer to its COMMIT knows it again.
  write_id TEXT NOT NULL
);

CREATE TABLE blocks (
  block BIGINT PRIMARY KEY,
  hash BYTEA NOT NULL,
  ts BIGINT NOT NULL
);

CREATE TABLE pools (
  number INTEGER PRIMARY KEY,
  id BYTEA NOT NULL UNIQUE,
  version TEXT NOT NULL,
  venue BYTEA NOT NULL,
  token0 BYTEA NOT NULL,
  token1 BYTEA NOT NULL,
  fee BIGINT NOT NULL,
  tick_spacing BIGINT NOT NULL,
  hooks BYTEA,
  created_block BIGINT NOT NULL,
  created_ts BIGINT NOT NULL,
  sqrt_price_x96 BYTEA,
  tick INTEGER,
  liquidity BYTEA NOT NULL,
  reserve0 BYTEA,
  reserve1 BYTEA,
  map_fault TEXT,
  last_swap_ts BIGINT,
  last_swap_block BIGINT,
  last_swap_fee BIGINT,
  last_hot_ts BIGINT,
  revision BIGINT NOT NULL
);

CREATE INDEX pools_by_revision ON pools (revision, number);
CREATE INDEX pools_by_creation ON pools (created_block, number);

CREATE TABLE ticks (
  pool INTEGER NOT NULL,
  tick INTEGER NOT NULL,
  net BYTEA NOT NULL,
  gross BYTEA NOT NULL,
  PRIMARY KEY (pool, tick)
);

CREATE TABLE liquidity_changes (
  pool INTEGER NOT NULL,
  block BIGINT NOT NULL,
  log_index INTEGER NOT NULL,
  ts BIGINT NOT NULL,
  tx_hash BYTEA NOT NULL,
  tick_lower INTEGER NOT NULL,
  tick_upper INTEGER NOT NULL,
  liquidity_delta BYTEA NOT NULL,
  PRIMARY KEY (pool, block, log_index)
);

-- A range of blocks is read again when it settles.
CREATE INDEX liquidity_changes_by_block ON liquidity_changes (block, log_index);

CREATE TABLE quotes (
  address BYTEA NOT NULL,
  source TEXT COLLATE "C" NOT NULL,
  per TEXT NOT NULL,
  bid DOUBLE PRECISION,
  ask DOUBLE PRECISION,
  last DOUBLE PRECISION,
  published_ts BIGINT NOT NULL,
  fetched_ts BIGINT NOT NULL,
  halted SMALLINT NOT NULL,
  lapse TEXT,
  PRIMARY KEY (address, source)
);

CREATE TABLE reserves (
  pool INTEGER NOT NULL,
  source TEXT COLLATE "C" NOT NULL,
  amount0 DOUBLE PRECISION,
  amount1 DOUBLE PRECISION,
  liquidity_usd DOUBLE PRECISION,
  ts BIGINT NOT NULL,
  PRIMARY KEY (pool, source)
);

-- Each of the three is known or has a fault that says why not, never both, never neither.
CREATE TABLE tokens (
  address BYTEA PRIMARY KEY,
  symbol TEXT,
  symbol_fault TEXT,
  name TEXT,
  name_fault TEXT,
  decimals BIGINT,
  decimals_fault TEXT,
  revision BIGINT NOT NULL,
  CHECK ((symbol IS NULL) <> (symbol_fault IS NULL)),
  CHECK ((name IS NULL) <> (name_fault IS NULL)),
  CHECK ((decimals IS NULL) <> (decimals_fault IS NULL))
);

CREATE INDEX tokens_by_revision ON tokens (revision, address);

CREATE TABLE stocks (
  address BYTEA PRIMARY KEY,
  symbol TEXT NOT NULL,
  name TEXT NOT NULL,
  issuer TEXT,
  decimals BIGINT NOT NULL,
  feed BYTEA,
  verdict TEXT NOT NULL,
  multiplier BYTEA,
  pending_multiplier BYTEA,
  multiplier_effective_ts BIGINT,
  oracle_paused SMALLINT,
  read_ts BIGINT,
  revision BIGINT NOT NULL
);

CREATE INDEX stocks_by_revision ON stocks (revision, address);

-- Stocks of which no pool is missing.
CREATE TABLE searched (
  address BYTEA PRIMARY KEY
);

CREATE TABLE sources (
  source TEXT COLLATE "C" PRIMARY KEY,
  enabled SMALLINT NOT NULL,
  last_attempt_ts BIGINT,
  last_success_ts BIGINT,
  last_error TEXT,
  partial SMALLINT NOT NULL,
  failures BIGINT NOT NULL
);

-- How far the first reading of a long chain is; no rows before it begins and after it has ended.
CREATE TABLE first_reading (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  steps BIGINT NOT NULL,
  to_block BIGINT NOT NULL,
  to_hash BYTEA NOT NULL,
  to_ts BIGINT NOT NULL,
  found_to BIGINT NOT NULL
);

-- Up to which block the ticks of its pools are read.
CREATE TABLE first_maps (
  pool INTEGER PRIMARY KEY,
  mapped_to BIGINT NOT NULL
);

-- One row while a store is filled from an export: until all of it is in, it serves nobody.
CREATE TABLE half_import (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  import TEXT NOT NULL
);
