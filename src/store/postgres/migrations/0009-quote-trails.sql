-- The last accepted price of each source, an unconfirmed jump, and the pools behind a price.
ALTER TABLE quotes ADD COLUMN accepted_usd DOUBLE PRECISION;
ALTER TABLE quotes ADD COLUMN accepted_ts BIGINT;
ALTER TABLE quotes ADD COLUMN jump_usd DOUBLE PRECISION;
ALTER TABLE quotes ADD COLUMN jump_ts BIGINT;
ALTER TABLE quotes ADD COLUMN jump_updates BIGINT;
ALTER TABLE quotes ADD COLUMN pools BIGINT;
