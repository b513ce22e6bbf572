-- The publisher's time of "halted"; NULL where the source says nothing about halts.
ALTER TABLE quotes ADD COLUMN halt_ts INTEGER;
UPDATE quotes SET halt_ts = published_ts WHERE per = 'share';
