-- Where an event comes from: the place of its transaction in the block, and whose position a change of
-- liquidity belongs to: in v3 its owner, in v4 the sender and the salt, without its leading zeros.
-- NULL in rows of before.
ALTER TABLE swaps ADD COLUMN tx_index INTEGER;
ALTER TABLE liquidity_changes ADD COLUMN tx_index INTEGER;
ALTER TABLE liquidity_changes ADD COLUMN owner BLOB;
ALTER TABLE liquidity_changes ADD COLUMN sender BLOB;
ALTER TABLE liquidity_changes ADD COLUMN salt BLOB;
