-- The last complete coverage audit; null before the first.
ALTER TABLE header ADD COLUMN coverage_ts INTEGER;
ALTER TABLE header ADD COLUMN coverage_checked INTEGER;
ALTER TABLE header ADD COLUMN coverage_missing INTEGER;
