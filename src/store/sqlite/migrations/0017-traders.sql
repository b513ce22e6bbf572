-- Sender of a swap's transaction; NULL until it is read, which is after the swap is stored.
ALTER TABLE swaps ADD COLUMN trader BLOB;
