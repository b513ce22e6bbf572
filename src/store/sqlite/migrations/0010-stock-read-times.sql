-- When the last pass over all stocks read their contracts; a row's own time is that of its writing.
ALTER TABLE header ADD COLUMN stocks_read_ts INTEGER;
-- 1: the last pass could not read this stock, so that its own read_ts counts.
ALTER TABLE stocks ADD COLUMN read_failed INTEGER NOT NULL DEFAULT 0;
