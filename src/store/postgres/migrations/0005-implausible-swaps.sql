-- Swaps worth more than their pool's holdings make plausible; none is known of before.
ALTER TABLE swaps ADD COLUMN implausible SMALLINT NOT NULL DEFAULT 0;
-- Of the next days' partitions, where there are any.
ALTER TABLE IF EXISTS swaps_shape ADD COLUMN implausible SMALLINT NOT NULL DEFAULT 0;
ALTER TABLE candles ADD COLUMN implausible BIGINT NOT NULL DEFAULT 0;
