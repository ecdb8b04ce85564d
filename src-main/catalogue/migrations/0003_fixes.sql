-- Position fixes beside the path that was driven: the last of each tick. Null: there was none, or the run is
-- older than this.

ALTER TABLE ticks ADD COLUMN gps_x_m REAL;
ALTER TABLE ticks ADD COLUMN gps_y_m REAL;
ALTER TABLE ticks ADD COLUMN gps_z_m REAL;
