-- The epoch that the last branch replacement began and its common ancestor, where a block stayed.
ALTER TABLE header ADD COLUMN replacement_epoch INTEGER;
ALTER TABLE header ADD COLUMN replacement_block INTEGER;
ALTER TABLE header ADD COLUMN replacement_ts INTEGER;
