-- For servers without partitions: what is forgotten after some days is removed row by row.
-- Columns of swaps: widest first, for their alignment.

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
  recipient BYTEA,
  PRIMARY KEY (pool, block, log_index)
);

-- Blocks come many to a second: such an index is small, for equal keys are stored once.
CREATE INDEX swaps_by_time ON swaps (ts);

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
);

-- To find minutes without looking at every pool.
CREATE INDEX candles_of_minutes ON candles (ts) WHERE width = 60;

CREATE TABLE reference_points (
  address BYTEA NOT NULL,
  width INTEGER NOT NULL,
  ts BIGINT NOT NULL,
  usd DOUBLE PRECISION NOT NULL,
  source TEXT NOT NULL,
  rank INTEGER NOT NULL,
  PRIMARY KEY (address, width, ts)
);

CREATE INDEX reference_points_of_minutes ON reference_points (ts) WHERE width = 60;
