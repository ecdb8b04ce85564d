// A compiled scenario as the catalogue stores it.
import type { CompiledScenario } from '#contract/host/run.ts';
import type { StoredDocument } from '#services/ports/catalogue.ts';
import { sha256 } from '#services/sha256.ts';

/** Hashed off the host's thread: that of a scenario of many objects is megabytes. */
export async function storedDocument(compiled: CompiledScenario): Promise<StoredDocument> {
  const json = JSON.stringify(compiled);
  return { json, hash: await sha256(json) };
}
