-- What ids of pools of PancakeSwap Infinity follow from besides tokens, fee and hooks; else null.
ALTER TABLE pools ADD COLUMN parameters BYTEA;
