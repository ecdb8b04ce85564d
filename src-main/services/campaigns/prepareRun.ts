// A planned run of a campaign, compiled: what is executed, and its identity.
import type { RunOrder } from '#contract/host/run.ts';
import type { Isa } from '#contract/worker/worker.ts';
import { canonicalJson } from '#domain/scenario/canonicalJson.ts';
import { findDocument } from '#services/documents/documentFiles.ts';
import type { Documents, LoadedScenario } from '#services/documents/documents.ts';
import type { Files } from '#services/ports/files.ts';
import { sha256 } from '#services/sha256.ts';
import { identityOf } from '#services/runs/identity.ts';

/** A planned run as the catalogue stores it. */
export interface PlannedText {
  scenario: string;
  sensor: string | null;
  settings: string[];
  seed: number;
  /** Limit of simulated time; null: none. */
  seconds: number | null;
}

export interface PreparedRun {
  compiled: LoadedScenario['compiled'];
  heights: Float32Array;
  /** Limit of simulated time; null: none. */
  seconds: number | null;
  /** For the process that executes it; left out: the scene has no mesh files. */
  contentsHash?: string;
  identity: string;
}

/** The text of a planned run in the catalogue. */
export function plannedText({ scenario, sensor, settings, seed, seconds }: PlannedText): string {
  return JSON.stringify({ scenario, sensor, settings, seed, seconds });
}

/** As plannedText wrote it. */
export function plannedOf({ planned }: { planned: string }): PlannedText {
  return JSON.parse(planned) as PlannedText;
}

export interface PreparePorts {
  files: Files;
  documents: Pick<Documents, 'compile'>;
}

/** Terms that the runs of a campaign have in common. */
export interface RunTerms {
  /** Absolute: scenarios and sensors are samples, or files seen from there. */
  file: string;
  engine: string;
  isa: Isa;
}

/** @throws 'bad-input' with every problem, as Documents.compile; 'io' where a file changed since (fileSnapshot.ts) */
export async function prepareRun(
  { files, documents }: PreparePorts,
  planned: PlannedText,
  { file, engine, isa }: RunTerms,
  signal: AbortSignal,
): Promise<PreparedRun> {
  const scenario = await placeOf(files, 'scenarios', planned.scenario, file);
  const sensor =
    planned.sensor === null ? null : await placeOf(files, 'sensors', planned.sensor, file);
  const { seed, settings, seconds } = planned;
  const { compiled, heights, meshes } = await documents.compile(
    scenario,
    { seed, settings, signal },
    sensor === null ? null : { sensor },
  );
  // Why again: a worker reads them from their files, and the scenario may have been compiled before.
  for (const mesh of Object.keys(meshes)) await files.hash(mesh, signal);
  const identity = await identityOf({ scenarioHash: compiled.scenarioHash, engine, isa, seconds });
  const hasMeshes = Object.keys(meshes).length > 0;
  return {
    compiled,
    heights,
    identity,
    seconds,
    ...(hasMeshes && { contentsHash: await sha256(canonicalJson(meshes)) }),
  };
}

/** Runs that are executed at once, and the processor cores that they share. */
export interface SharedCores {
  jobs: number;
  cores: number;
}

/** The order of a run that several may be executed beside. */
export function orderOf(
  { compiled, contentsHash, seconds }: PreparedRun,
  { isa }: RunTerms,
  { jobs, cores }: SharedCores,
  files: Pick<RunOrder, 'recordingFile' | 'lockFile'>,
): RunOrder {
  return {
    compiled,
    seconds,
    isa,
    ...files,
    isPipelined: true,
    // Why: more threads than cores only wait for one another, and fewer leave cores idle. They never change a byte.
    threads: jobs > 1 ? Math.max(1, Math.ceil(cores / jobs)) : null,
    runsAtOnce: jobs,
    viewPoints: 0,
    control: 'autonomy',
    pace: { isPaused: false, speed: null },
    ...(contentsHash !== undefined && { contentsHash }),
  };
}

/** Absolute path of a document that a campaign names. A name that is nowhere stays, and is reported as such. */
async function placeOf(
  files: Files,
  folder: 'scenarios' | 'sensors',
  name: string,
  from: string,
): Promise<string> {
  return (await findDocument(files, folder, name, from)) ?? name;
}
