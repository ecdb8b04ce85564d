-- Finding runs among ten thousand: notes, tags, sensors as rows, words to search for, and the columns of
-- the table that a person sorts by. What follows from other columns is kept by triggers, never by hand.

ALTER TABLE runs ADD COLUMN notes TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN sim_seconds REAL;
ALTER TABLE runs ADD COLUMN real_time_factor REAL;
ALTER TABLE runs ADD COLUMN points INTEGER;
ALTER TABLE runs ADD COLUMN collisions INTEGER;
ALTER TABLE runs ADD COLUMN distance_to_goal_m REAL;
ALTER TABLE runs ADD COLUMN position_error_m REAL;
UPDATE runs SET
    sim_seconds = figures ->> '$.simSeconds',
    real_time_factor = figures ->> '$.realTimeFactor',
    points = figures ->> '$.points',
    collisions = figures ->> '$.collisions',
    distance_to_goal_m = figures ->> '$.distanceToGoalM',
    position_error_m = figures ->> '$.meanPositionErrorM';

-- All that is sorted and filtered by, in one narrow place: a row of runs is a kilobyte, one of these a tenth.
-- Why not columns that SQLite computes: an index over those is never enough for a query (3.54).
CREATE INDEX runs_listed ON runs (deleted_ms, created_ms, state, scenario_name, name, seed, sensors,
  sim_seconds, real_time_factor, points, collisions, distance_to_goal_m, position_error_m);

-- Each order by itself, for pages of all runs.
CREATE INDEX runs_by_created ON runs (deleted_ms, created_ms);
CREATE INDEX runs_by_name ON runs (deleted_ms, name COLLATE NOCASE);
CREATE INDEX runs_by_state ON runs (deleted_ms, state);
CREATE INDEX runs_by_scenario ON runs (deleted_ms, scenario_name COLLATE NOCASE);
CREATE INDEX runs_by_seed ON runs (deleted_ms, seed);
CREATE INDEX runs_by_sensors ON runs (deleted_ms, sensors);
CREATE INDEX runs_by_sim_seconds ON runs (deleted_ms, sim_seconds);
CREATE INDEX runs_by_real_time_factor ON runs (deleted_ms, real_time_factor);
CREATE INDEX runs_by_points ON runs (deleted_ms, points);
CREATE INDEX runs_by_collisions ON runs (deleted_ms, collisions);
CREATE INDEX runs_by_distance_to_goal_m ON runs (deleted_ms, distance_to_goal_m);
CREATE INDEX runs_by_position_error_m ON runs (deleted_ms, position_error_m);
CREATE INDEX runs_by_document ON runs (document_hash);
CREATE INDEX runs_by_scene ON runs (scene_key);

CREATE TABLE run_tags (
  run_key INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  tag TEXT NOT NULL,
  PRIMARY KEY (run_key, tag)
) WITHOUT ROWID;
CREATE INDEX run_tags_by_tag ON run_tags (tag, run_key);

CREATE TABLE run_sensors (
  run_key INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  sensor TEXT NOT NULL,
  PRIMARY KEY (run_key, sensor)
) WITHOUT ROWID;
CREATE INDEX run_sensors_by_sensor ON run_sensors (sensor, run_key);
INSERT OR IGNORE INTO run_sensors SELECT run_key, value FROM runs, json_each(runs.sensors);

-- Rows by run_key. Accents and case do not matter; words are found by their beginnings.
CREATE VIRTUAL TABLE run_search USING fts5(name, scenario, sensors, notes, tags,
  tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3');
INSERT INTO run_search (rowid, name, scenario, sensors, notes, tags)
  SELECT run_key, name, scenario_name, sensors, '', '' FROM runs;

CREATE TRIGGER runs_inserted AFTER INSERT ON runs BEGIN
  INSERT OR IGNORE INTO run_sensors SELECT new.run_key, value FROM json_each(new.sensors);
  INSERT INTO run_search (rowid, name, scenario, sensors, notes, tags)
    VALUES (new.run_key, new.name, new.scenario_name, new.sensors, new.notes, '');
  UPDATE runs SET
    sim_seconds = new.figures ->> '$.simSeconds',
    real_time_factor = new.figures ->> '$.realTimeFactor',
    points = new.figures ->> '$.points',
    collisions = new.figures ->> '$.collisions',
    distance_to_goal_m = new.figures ->> '$.distanceToGoalM',
    position_error_m = new.figures ->> '$.meanPositionErrorM'
    WHERE run_key = new.run_key AND new.figures IS NOT NULL;
END;
CREATE TRIGGER runs_figured AFTER UPDATE OF figures ON runs BEGIN
  UPDATE runs SET
    sim_seconds = new.figures ->> '$.simSeconds',
    real_time_factor = new.figures ->> '$.realTimeFactor',
    points = new.figures ->> '$.points',
    collisions = new.figures ->> '$.collisions',
    distance_to_goal_m = new.figures ->> '$.distanceToGoalM',
    position_error_m = new.figures ->> '$.meanPositionErrorM'
    WHERE run_key = new.run_key;
END;
CREATE TRIGGER runs_noted AFTER UPDATE OF notes ON runs BEGIN
  UPDATE run_search SET notes = new.notes WHERE rowid = new.run_key;
END;
CREATE TRIGGER runs_removed AFTER DELETE ON runs BEGIN
  DELETE FROM run_search WHERE rowid = old.run_key;
END;
CREATE TRIGGER run_tags_added AFTER INSERT ON run_tags BEGIN
  UPDATE run_search SET tags =
    (SELECT group_concat(tag, ' ') FROM run_tags WHERE run_key = new.run_key)
    WHERE rowid = new.run_key;
END;
CREATE TRIGGER run_tags_removed AFTER DELETE ON run_tags BEGIN
  UPDATE run_search SET tags =
    (SELECT coalesce(group_concat(tag, ' '), '') FROM run_tags WHERE run_key = old.run_key)
    WHERE rowid = old.run_key;
END;
