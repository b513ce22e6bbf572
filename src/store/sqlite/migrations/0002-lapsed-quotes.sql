-- Why a source no longer stands by its last good quote: 'clock-ahead' or 'unpriced'; else NULL.
ALTER TABLE quotes ADD COLUMN lapse TEXT;
