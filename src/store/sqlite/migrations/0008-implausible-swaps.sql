-- Swaps worth more than their pool's holdings make plausible; none is known of before.
ALTER TABLE swaps ADD COLUMN implausible INTEGER NOT NULL DEFAULT 0;
ALTER TABLE candles ADD COLUMN implausible INTEGER NOT NULL DEFAULT 0;

-- Holds all that volumes need.
DROP INDEX swaps_by_second;
CREATE INDEX swaps_by_second ON swaps (ts, pool, block, usd_micro, estimated, implausible);
