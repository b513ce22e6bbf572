-- What is forgotten after some days stands in partitions of one UTC day each, which are made when
-- their first row comes (partitions.ts) and dropped whole. Columns of swaps: widest first, for
-- their alignment.

-- No key here, since it would have to hold the time: each partition is made like the shape below,
-- and a block lies in one day only.
CREATE TABLE swaps (
  pool INTEGER NOT NULL,
  log_index INTEGER NOT NULL,
  block BIGINT NOT NULL,
  ts BIGINT NOT NULL,
  usd_micro BIGINT,
  tick INTEGER NOT NULL,
  fee INTEGER,
  estimated SMALLINT NOT NULL,
  tx_hash BYTEA NOT NULL,
  amount0 BYTEA NOT NULL,
  amount1 BYTEA NOT NULL,
  sqrt_price_x96 BYTEA NOT NULL,
  liquidity BYTEA NOT NULL,
  sender BYTEA NOT NULL,
  recipient BYTEA
) PARTITION BY RANGE (ts);

CREATE TABLE swaps_shape (
  pool INTEGER NOT NULL,
  log_index INTEGER NOT NULL,
  block BIGINT NOT NULL,
  ts BIGINT NOT NULL,
  usd_micro BIGINT,
  tick INTEGER NOT NULL,
  fee INTEGER,
  estimated SMALLINT NOT NULL,
  tx_hash BYTEA NOT NULL,
  amount0 BYTEA NOT NULL,
  amount1 BYTEA NOT NULL,
  sqrt_price_x96 BYTEA NOT NULL,
  liquidity BYTEA NOT NULL,
  sender BYTEA NOT NULL,
  recipient BYTEA,
  PRIMARY KEY (pool, block, log_index)
);

-- Blocks come many to a second: such an index is small, for equal keys are stored once.
CREATE INDEX swaps_shape_by_time ON swaps_shape (ts);

CREATE TABLE candles (
  pool INTEGER NOT NULL,
  width INTEGER NOT NULL,
  ts BIGINT NOT NULL,
  open DOUBLE PRECISION NOT NULL,
  high DOUBLE PRECISION NOT NULL,
  low DOUBLE PRECISION NOT NULL,
  close DOUBLE PRECISION NOT NULL,
  usd_micro BIGINT NOT NULL,
  swaps BIGINT NOT NULL,
  unpriced BIGINT NOT NULL,
  estimated BIGINT NOT NULL,
  reserve0 DOUBLE PRECISION,
  reserve1 DOUBLE PRECISION,
  PRIMARY KEY (pool, width, ts)
) PARTITION BY LIST (width);

CREATE TABLE candles_minutes PARTITION OF candles FOR VALUES IN (60) PARTITION BY RANGE (ts);
CREATE TABLE candles_wider PARTITION OF candles FOR VALUES IN (3600, 86400);

-- To find what was touched lately without looking at every pool.
CREATE INDEX candles_minutes_by_time ON candles_minutes (ts);

CREATE TABLE reference_points (
  address BYTEA NOT NULL,
  width INTEGER NOT NULL,
  ts BIGINT NOT NULL,
  usd DOUBLE PRECISION NOT NULL,
  source TEXT NOT NULL,
  rank INTEGER NOT NULL,
  PRIMARY KEY (address, width, ts)
) PARTITION BY LIST (width);

CREATE TABLE reference_points_minutes PARTITION OF reference_points FOR VALUES IN (60)
  PARTITION BY RANGE (ts);
CREATE TABLE reference_points_wider PARTITION OF reference_points FOR VALUES IN (3600, 86400);

CREATE INDEX reference_points_minutes_by_time ON reference_points_minutes (ts);
