-- What executing a campaign costs beside its runs, measured in its last call; null: not known.
ALTER TABLE campaigns ADD COLUMN pace TEXT; -- JSON: services/ports/campaigns.ts
