-- Whether a stock's multiplier is that of multiplier(), the alias of ERC-8056's uiMultiplier().
ALTER TABLE stocks ADD COLUMN multiplier_alias SMALLINT NOT NULL DEFAULT 0;
