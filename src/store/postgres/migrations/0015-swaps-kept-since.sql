-- Retention has deleted swaps before this time; NULL if it deleted none. Hours are never deleted.
ALTER TABLE header ADD COLUMN swaps_kept_since BIGINT;
UPDATE header
SET swaps_kept_since = COALESCE((SELECT ts FROM swaps ORDER BY ts LIMIT 1), indexed_ts)
WHERE EXISTS (SELECT 1 FROM candles WHERE width = 3600 AND swaps > 0 AND ts + 3600 <=
  COALESCE((SELECT ts FROM swaps ORDER BY ts LIMIT 1), indexed_ts));
