-- Whose custom pool of Algebra it is, what may be changed of a pool besides its fee, and the block
-- since which that holds. NULL in every other pool.
ALTER TABLE pools ADD COLUMN deployer BYTEA;
ALTER TABLE pools ADD COLUMN setting_tick_spacing BIGINT;
ALTER TABLE pools ADD COLUMN plugin_config BIGINT;
ALTER TABLE pools ADD COLUMN settings_block BIGINT;
