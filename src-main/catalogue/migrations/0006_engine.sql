-- What simulated a run (services/engine.ts); null in runs of version 0.1.0.

ALTER TABLE runs ADD COLUMN engine TEXT;
