-- The plants of a scene, measured once for all of its runs.
CREATE TABLE scene_plants (
  scene_key INTEGER PRIMARY KEY REFERENCES scenes ON DELETE CASCADE,
  plants BLOB NOT NULL -- the columns of truth.plants
);
