-- Campaigns: a plan with one row for each planned run, the values of its axes, and its results. Runs of equal identity
-- are shared. Documents of runs that differ in a few values are stored as a difference.

-- Hash of all that determines a run (domain/campaign); null: not known.
ALTER TABLE runs ADD COLUMN identity TEXT;
-- Measured values by the text of their expression, as JSON; null: none.
ALTER TABLE runs ADD COLUMN measures TEXT;
CREATE INDEX runs_by_identity ON runs (identity) WHERE identity IS NOT NULL;

-- A document with a base has empty json; `packed` is its JSON under zstd, with the JSON of the base as dictionary.
ALTER TABLE documents ADD COLUMN base_hash TEXT REFERENCES documents;
ALTER TABLE documents ADD COLUMN packed BLOB;
CREATE INDEX documents_by_base ON documents (base_hash) WHERE base_hash IS NOT NULL;

CREATE TABLE campaigns (
  campaign_key INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  file TEXT NOT NULL,       -- where the document was read: scenarios and sensors are looked for beside it
  file_hash TEXT NOT NULL,  -- SHA-256 of its text
  document TEXT NOT NULL,   -- the campaign, checked, as JSON
  isa TEXT NOT NULL,
  engine TEXT,              -- null: no run was started yet
  inputs TEXT NOT NULL,     -- hash by path of the files that identities were computed from, as JSON
  created_ms INTEGER NOT NULL,
  started_ms INTEGER,       -- null: never
  is_stopping INTEGER NOT NULL DEFAULT 0
);

-- What varies, in the order of the file.
CREATE TABLE campaign_axes (
  campaign_key INTEGER NOT NULL REFERENCES campaigns ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('number', 'text')),
  PRIMARY KEY (campaign_key, position)
) WITHOUT ROWID;

CREATE TABLE campaign_runs (
  campaign_key INTEGER NOT NULL REFERENCES campaigns ON DELETE CASCADE,
  plan_index INTEGER NOT NULL,
  planned TEXT NOT NULL,    -- scenario, sensor, settings and seed, as JSON
  identity TEXT,            -- null: not computed yet
  run_key INTEGER REFERENCES runs ON DELETE SET NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'running', 'done', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0,
  error TEXT,
  measures TEXT,            -- values by the name of the measure, as JSON
  wall_s REAL,
  host_name TEXT,           -- that executed it
  PRIMARY KEY (campaign_key, plan_index)
) WITHOUT ROWID;
CREATE INDEX campaign_runs_by_state ON campaign_runs (campaign_key, state, plan_index);
CREATE INDEX campaign_runs_by_run ON campaign_runs (run_key) WHERE run_key IS NOT NULL;

CREATE TABLE campaign_values (
  campaign_key INTEGER NOT NULL,
  plan_index INTEGER NOT NULL,
  axis_position INTEGER NOT NULL,
  number_value REAL,
  text_value TEXT,
  PRIMARY KEY (campaign_key, plan_index, axis_position),
  FOREIGN KEY (campaign_key, plan_index) REFERENCES campaign_runs ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX campaign_values_by_value
  ON campaign_values (campaign_key, axis_position, number_value, text_value, plan_index);
