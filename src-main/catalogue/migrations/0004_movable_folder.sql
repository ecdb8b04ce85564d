-- The data folder can be moved and copied: where a recording lies follows from the folder and the run's id.

ALTER TABLE runs DROP COLUMN recording_file;
