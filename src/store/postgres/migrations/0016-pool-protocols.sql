-- Whose rules a pool follows, by the protocol's id. Earlier versions read the two of Uniswap.
ALTER TABLE pools ADD COLUMN protocol TEXT NOT NULL DEFAULT 'uniswap-v3';
UPDATE pools SET protocol = 'uniswap-v4' WHERE version = 'v4';
