-- Besides stocks, the venues and trusted tokens whose pools were searched, from which block, and how
-- far a running search is: it is complete once done equals total. Earlier versions kept stocks only.
ALTER TABLE searched ADD COLUMN kind TEXT COLLATE "C" NOT NULL DEFAULT 'stock';
ALTER TABLE searched ADD COLUMN from_block BIGINT NOT NULL DEFAULT 0;
ALTER TABLE searched ADD COLUMN done BIGINT NOT NULL DEFAULT 0;
ALTER TABLE searched ADD COLUMN total BIGINT NOT NULL DEFAULT 0;
