-- What moves the price of a pool by 2 %, per token; NULL when it is unknown. A pool that holds nothing
-- has none; the next start computes the others from their ticks.
ALTER TABLE pools ADD COLUMN depth0 BYTEA;
ALTER TABLE pools ADD COLUMN depth1 BYTEA;
UPDATE pools SET depth0 = reserve0, depth1 = reserve1
  WHERE reserve0 = '\x00' AND reserve1 = '\x00';
