-- The last complete coverage audit; null before the first.
ALTER TABLE header ADD COLUMN coverage_ts BIGINT;
ALTER TABLE header ADD COLUMN coverage_checked BIGINT;
ALTER TABLE header ADD COLUMN coverage_missing BIGINT;
