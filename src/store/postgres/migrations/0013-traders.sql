-- Sender of a swap's transaction; NULL until it is read, which is after the swap is stored.
ALTER TABLE swaps ADD COLUMN trader BYTEA;
-- Of the next days' partitions, where there are any.
ALTER TABLE IF EXISTS swaps_shape ADD COLUMN trader BYTEA;
