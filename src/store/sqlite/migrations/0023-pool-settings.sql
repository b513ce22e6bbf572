-- Whose custom pool of Algebra it is, what may be changed of a pool besides its fee, and the block
-- since which that holds. NULL in every other pool.
ALTER TABLE pools ADD COLUMN deployer BLOB;
ALTER TABLE pools ADD COLUMN setting_tick_spacing INTEGER;
ALTER TABLE pools ADD COLUMN plugin_config INTEGER;
ALTER TABLE pools ADD COLUMN settings_block INTEGER;
