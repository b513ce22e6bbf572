-- The latest branch replacements: the epoch that each began and its common ancestor, NULL where no
-- block stayed. A reader of an earlier epoch finds here what of it is still valid.
CREATE TABLE replacements (
  epoch BIGINT PRIMARY KEY,
  block BIGINT,
  ts BIGINT
);
INSERT INTO replacements
  SELECT replacement_epoch, replacement_block, replacement_ts FROM header
  WHERE replacement_epoch IS NOT NULL;
