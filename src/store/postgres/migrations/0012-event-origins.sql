-- Where an event comes from: the place of its transaction in the block, and whose position a change of
-- liquidity belongs to: in v3 its owner, in v4 the sender and the salt, without its leading zeros.
-- NULL in rows of before.
ALTER TABLE swaps ADD COLUMN tx_index INTEGER;
-- Of the next days' partitions, where there are any.
ALTER TABLE IF EXISTS swaps_shape ADD COLUMN tx_index INTEGER;
ALTER TABLE liquidity_changes ADD COLUMN tx_index INTEGER;
ALTER TABLE liquidity_changes ADD COLUMN owner BYTEA;
ALTER TABLE liquidity_changes ADD COLUMN sender BYTEA;
ALTER TABLE liquidity_changes ADD COLUMN salt BYTEA;
