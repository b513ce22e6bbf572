-- What a screener says that the pool is worth, in US dollars; NULL where it does not, and of balances.
ALTER TABLE reserves ADD COLUMN liquidity_usd REAL;
