-- The pools that creation logs report, by venue, as JSON; null before the first audit.
ALTER TABLE header ADD COLUMN coverage_pass TEXT;
