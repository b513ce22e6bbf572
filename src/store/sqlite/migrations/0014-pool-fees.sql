-- Fees of a v4 pool, and the block since which they hold. NULL in v3, and until the state check has
-- read them.
ALTER TABLE pools ADD COLUMN lp_fee INTEGER;
ALTER TABLE pools ADD COLUMN protocol_fee INTEGER;
ALTER TABLE pools ADD COLUMN fees_block INTEGER;
