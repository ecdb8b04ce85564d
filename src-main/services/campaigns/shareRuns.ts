// Finished runs that stand in for planned ones: of equal identity, measured as the campaign asks, and recorded as it
// asks where it saves recordings.
import type { CompiledScenario } from '#contract/host/run.ts';
import { includesParts, recordedPartsOf } from '#domain/campaign/recordedParts.ts';
import type { TextJobs } from '#domain/scenario/textJobs.ts';
import type { Catalogue } from '#services/ports/catalogue.ts';
import type { RunFolders } from '#services/ports/files.ts';
import { compiledWithoutObjects } from '#services/runs/storedDocument.ts';
import type { RunMeasuring } from './measureRun.ts';

export interface SharePorts {
  catalogue: Catalogue;
  folders: Pick<RunFolders, 'recordingBytes'>;
  files: { texts: TextJobs };
}

export interface ShareTerms {
  identity: string;
  measuring: RunMeasuring;
  /** The scenario and sensors to record; null: no recording is needed. */
  recorded: Pick<CompiledScenario, 'scenario' | 'sensors'> | null;
}

/** A finished run with its measures by name; null: there is none that has all that is asked for. */
export async function findShared(
  { catalogue, folders, files: { texts } }: SharePorts,
  { identity, measuring, recorded }: ShareTerms,
): Promise<{ runId: string; measures: Record<string, number | null> } | null> {
  for (const { runId, metrics, measures: stored } of catalogue.sharedRuns(identity)) {
    const measures = measuring.fromStored(metrics, stored);
    if (measures === null) continue;
    if (recorded === null) return { runId, measures };
    if (folders.recordingBytes(runId) === null) continue;
    const compiled = await compiledWithoutObjects({ catalogue, texts }, runId);
    if (includesParts(recordedPartsOf(compiled), recordedPartsOf(recorded)))
      return { runId, measures };
  }
  return null;
}
