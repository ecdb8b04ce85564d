-- Where a run of another data folder came from (RunOrigin, as JSON); null: it was simulated here.

ALTER TABLE runs ADD COLUMN origin TEXT;
