-- The epoch that the last branch replacement began and its common ancestor, where a block stayed.
ALTER TABLE header ADD COLUMN replacement_epoch BIGINT;
ALTER TABLE header ADD COLUMN replacement_block BIGINT;
ALTER TABLE header ADD COLUMN replacement_ts BIGINT;
