-- What a swap paid to liquidity providers, and what a dollar in range earned by it; NULL: unknown.
ALTER TABLE swaps ADD COLUMN lp_fee INTEGER;
ALTER TABLE swaps ADD COLUMN fee_yield INTEGER;
-- Of swaps of earlier versions no yield is known.
ALTER TABLE candles ADD COLUMN fee_yield INTEGER NOT NULL DEFAULT 0;
ALTER TABLE candles ADD COLUMN yielded INTEGER NOT NULL DEFAULT 0;
