-- Besides stocks, the venues and trusted tokens whose pools were searched, from which block, and how
-- far a running search is: it is complete once done equals total. Earlier versions kept stocks only.
ALTER TABLE searched ADD COLUMN kind TEXT NOT NULL DEFAULT 'stock';
ALTER TABLE searched ADD COLUMN from_block INTEGER NOT NULL DEFAULT 0;
ALTER TABLE searched ADD COLUMN done INTEGER NOT NULL DEFAULT 0;
ALTER TABLE searched ADD COLUMN total INTEGER NOT NULL DEFAULT 0;
