-- The last accepted price of each source, an unconfirmed jump, and the pools behind a price.
ALTER TABLE quotes ADD COLUMN accepted_usd REAL;
ALTER TABLE quotes ADD COLUMN accepted_ts INTEGER;
ALTER TABLE quotes ADD COLUMN jump_usd REAL;
ALTER TABLE quotes ADD COLUMN jump_ts INTEGER;
ALTER TABLE quotes ADD COLUMN jump_updates INTEGER;
ALTER TABLE quotes ADD COLUMN pools INTEGER;
