-- What a swap paid to liquidity providers, and what a dollar in range earned by it; NULL: unknown.
ALTER TABLE swaps ADD COLUMN lp_fee BIGINT;
ALTER TABLE swaps ADD COLUMN fee_yield BIGINT;
-- Of the next days' partitions, where there are any.
ALTER TABLE IF EXISTS swaps_shape ADD COLUMN lp_fee BIGINT;
ALTER TABLE IF EXISTS swaps_shape ADD COLUMN fee_yield BIGINT;
-- Of swaps of earlier versions no yield is known.
ALTER TABLE candles ADD COLUMN fee_yield BIGINT NOT NULL DEFAULT 0;
ALTER TABLE candles ADD COLUMN yielded BIGINT NOT NULL DEFAULT 0;
