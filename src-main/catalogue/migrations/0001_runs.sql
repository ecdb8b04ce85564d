-- Runs and what is asked about them. Rows for what one asks about (runs, scans, classes, named objects);
-- what is one of thousands (ground cover) as one blob a scene and one a scan; what a scene fixes, once.
-- Blobs are frames of columns (contract/wire/PROTOCOL.md), compressed with zstd.

-- Compiled scenarios in full, by the SHA-256 of their JSON: runs of the same scenario share one.
CREATE TABLE documents (
  hash TEXT PRIMARY KEY,
  json TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE scenes (
  scene_key INTEGER PRIMARY KEY,
  hash TEXT NOT NULL,       -- of what is traced: triangles, materials, instances
  names_hash TEXT NOT NULL, -- of what they are called: the same scene may come with other names
  summary TEXT NOT NULL,    -- SceneSummary
  classes TEXT NOT NULL,    -- names of class_id, in its order
  UNIQUE (hash, names_hash)
);

-- Walls, placed objects and small scatters.
CREATE TABLE scene_instances (
  scene_key INTEGER NOT NULL REFERENCES scenes ON DELETE CASCADE,
  instance_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  class_id INTEGER NOT NULL,
  model TEXT NOT NULL,
  x_m REAL NOT NULL, y_m REAL NOT NULL, z_m REAL NOT NULL,
  qx REAL NOT NULL, qy REAL NOT NULL, qz REAL NOT NULL, qw REAL NOT NULL,
  scale REAL NOT NULL,
  min_x_m REAL NOT NULL, min_y_m REAL NOT NULL, min_z_m REAL NOT NULL,
  max_x_m REAL NOT NULL, max_y_m REAL NOT NULL, max_z_m REAL NOT NULL,
  PRIMARY KEY (scene_key, instance_id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX scene_instances_by_name ON scene_instances (scene_key, name);

-- Ground cover: scatters of many copies, called name-1, name-2, … with ids from first_id on.
CREATE TABLE scene_covers (
  scene_key INTEGER NOT NULL REFERENCES scenes ON DELETE CASCADE,
  name TEXT NOT NULL,
  first_id INTEGER NOT NULL,
  count INTEGER NOT NULL,
  class_id INTEGER NOT NULL,
  model TEXT NOT NULL,
  instances BLOB NOT NULL, -- the columns of scene.instances
  PRIMARY KEY (scene_key, name)
) WITHOUT ROWID;

CREATE TABLE runs (
  run_key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE, -- UUIDv7
  name TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('running', 'finished', 'failed', 'cancelled', 'interrupted')),
  created_ms INTEGER NOT NULL,
  ended_ms INTEGER,
  document_hash TEXT NOT NULL REFERENCES documents,
  scenario_hash TEXT NOT NULL,
  scenario_name TEXT NOT NULL,
  seed INTEGER NOT NULL,
  sensors TEXT NOT NULL, -- ids, as a JSON array
  version TEXT NOT NULL,
  isa TEXT,
  host_name TEXT NOT NULL,
  scene_key INTEGER REFERENCES scenes,
  recording_file TEXT NOT NULL,
  run_order TEXT NOT NULL, -- seconds, threads, isa as ordered
  end_reason TEXT,
  figures TEXT, -- RunFigures
  error TEXT,
  deleted_ms INTEGER
);
CREATE INDEX runs_by_time ON runs (created_ms DESC, run_key DESC);

-- Poses at the end of each tick: truth and estimate.
CREATE TABLE ticks (
  run_key INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  tick INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,
  truth_x_m REAL NOT NULL, truth_y_m REAL NOT NULL, truth_z_m REAL NOT NULL,
  truth_qx REAL NOT NULL, truth_qy REAL NOT NULL, truth_qz REAL NOT NULL, truth_qw REAL NOT NULL,
  estimate_x_m REAL NOT NULL, estimate_y_m REAL NOT NULL, estimate_z_m REAL NOT NULL,
  estimate_qx REAL NOT NULL, estimate_qy REAL NOT NULL, estimate_qz REAL NOT NULL,
  estimate_qw REAL NOT NULL,
  speed_m_per_s REAL NOT NULL,
  distance_to_goal_m REAL NOT NULL,
  collisions INTEGER NOT NULL,
  activity TEXT NOT NULL,
  PRIMARY KEY (run_key, tick)
) WITHOUT ROWID;

CREATE TABLE scans (
  scan_key INTEGER PRIMARY KEY,
  run_key INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  tick INTEGER NOT NULL,
  sensor INTEGER NOT NULL,
  from_ns INTEGER NOT NULL,
  to_ns INTEGER NOT NULL,
  pulses INTEGER NOT NULL,
  returns INTEGER NOT NULL,
  hash TEXT NOT NULL,
  covers BLOB, -- columns object_id, object_returns of the ground cover that was hit
  UNIQUE (run_key, tick, sensor)
);

CREATE TABLE scan_classes (
  scan_key INTEGER NOT NULL REFERENCES scans ON DELETE CASCADE,
  class_id INTEGER NOT NULL,
  returns INTEGER NOT NULL,
  PRIMARY KEY (scan_key, class_id)
) WITHOUT ROWID;

CREATE TABLE scan_instances (
  scan_key INTEGER NOT NULL REFERENCES scans ON DELETE CASCADE,
  instance_id INTEGER NOT NULL,
  returns INTEGER NOT NULL,
  PRIMARY KEY (scan_key, instance_id)
) WITHOUT ROWID;
