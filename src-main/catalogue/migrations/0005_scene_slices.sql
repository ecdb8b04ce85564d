-- Ground cover comes in slices of rows, so that a scene of millions of objects is never one blob. Rows of
-- scene_covers from before hold theirs whole; newer ones are empty there.

CREATE TABLE scene_cover_slices (
  scene_key INTEGER NOT NULL,
  name TEXT NOT NULL,
  first_id INTEGER NOT NULL, -- of the first instance in the slice
  instances BLOB NOT NULL,   -- the columns of scene.instances
  PRIMARY KEY (scene_key, name, first_id),
  FOREIGN KEY (scene_key, name) REFERENCES scene_covers (scene_key, name) ON DELETE CASCADE
) WITHOUT ROWID;
