// The description of a run, from a catalogue and its recording: independent of when and where it was simulated.
// Guarantees: equal runs give equal contents and the same identity, on any machine.
import type { BundledRun, BundledScans } from '#contract/documents/bundle.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { CompiledScenario, DriveCommand, RunMetrics, ScanRecord } from '#contract/host/run.ts';
import { canonicalJson, scenarioHashInput } from '#domain/scenario/canonicalJson.ts';
import type { TextJobs } from '#domain/scenario/textJobs.ts';
import { compiledOf, withStoredMeshes } from '#services/runs/storedDocument.ts';
import type { Catalogue, RunRow } from '#services/ports/catalogue.ts';
import type { Files, RunFolders } from '#services/ports/files.ts';
import type { Recordings } from '#services/ports/recordings.ts';
import { openRunRecording } from '#services/runs/openRun.ts';
import { commandsOf } from '#services/runs/recordedCommands.ts';
import { sha256 } from '#services/sha256.ts';
import { readCommands, readHeights } from '#services/runs/sideFiles.ts';
import { portableMesh } from './meshFiles.ts';

export interface ContentPorts {
  catalogue: Catalogue;
  folders: RunFolders;
  recordings: Pick<Recordings, 'open' | 'openSnapshots'>;
  texts: TextJobs;
  files: Pick<Files, 'hash' | 'hashOf' | 'pieces' | 'readText' | 'exists' | 'resolveFrom'>;
}

export interface RunContents {
  identity: string;
  run: BundledRun;
  /** With the names that a bundle gives to files. */
  compiled: CompiledScenario;
  scans: BundledScans;
  /** Heights of the ground, metres; empty: there is no height field. */
  heights: Float32Array;
  /** Null: the vehicle was driven by autonomy. */
  commands: DriveCommand[] | null;
  /** Where meshes, and what lies beside them, are here, by the names of their entries. */
  meshFiles: Map<string, string>;
  /** Lists of the files of meshes, by the names of their entries. */
  meshSets: Map<string, string>;
  hasRecording: boolean;
}

/** Metrics of the machine, which differ between equal runs. */
const machineMetrics = [
  'wallSeconds',
  'realTimeFactor',
  'buildSeconds',
  'peakRssMB',
  'coreSeconds',
  'planMedianMs',
  'planP95Ms',
  'planMostMs',
] as const satisfies readonly (keyof RunMetrics)[];

/** SHA-256 over what was simulated, by what, and the hash of every scan. */
export async function identityOf(
  run: Pick<BundledRun, 'scenarioHash' | 'version' | 'engine' | 'isa'>,
  scans: BundledScans,
): Promise<string> {
  const { scenarioHash, version, engine, isa } = run;
  return sha256(canonicalJson({ scenarioHash, version, engine, isa, scans }));
}

/** Lists of the same length, in the order of ticks and sensors. */
export function scanColumns(records: readonly ScanRecord[]): BundledScans {
  const sorted = [...records].sort((a, b) => a.tick - b.tick || a.sensor - b.sensor);
  return {
    tick: sorted.map(({ tick }) => tick),
    sensor: sorted.map(({ sensor }) => sensor),
    fromNs: sorted.map(({ fromNs }) => fromNs),
    toNs: sorted.map(({ toNs }) => toNs),
    pulses: sorted.map(({ pulses }) => pulses),
    returns: sorted.map(({ returns }) => returns),
    hash: sorted.map(({ hash }) => hash),
  };
}

/**
 * Everything about a run that ended.
 * @throws UnderstoryError 'locked' for one under way; 'not-found' where a file that it needs is gone; 'corrupt' where
 *   the recording is damaged, or a mesh is another than the one that was simulated
 */
export async function contentsOfRun(
  ports: ContentPorts,
  row: RunRow,
  version: string,
  signal: AbortSignal,
): Promise<RunContents> {
  const { catalogue, folders, files } = ports;
  const { id, state } = row;
  if (state === 'running') {
    throw new UnderstoryError('locked', `run ${id} is under way: stop it first`, { runId: id });
  }
  const stored = withStoredMeshes(folders, await compiledOf(ports, id));
  const { seconds, control = 'autonomy' } = catalogue.order(id);
  const hasRecording = folders.recordingBytes(id) !== null;
  const { heights, commands } = hasRecording
    ? await recordedParts(ports, row, control !== 'autonomy')
    : await storedParts(ports, row, stored, control !== 'autonomy');
  const heightsHash = await sha256(bytesOf(heights));
  const { compiled, meshes, meshFiles, meshSets } = await portable(ports, row, stored, signal);
  const asRecorded = await files.hashOf(
    scenarioHashInput(stored, { meshes, heights: heightsHash }),
  );
  // Why only of this version: others may have hashed other fields.
  if (meshFiles.size > 0 && row.version === version && asRecorded !== row.scenarioHash) {
    const message = `the meshes of run ${id} have been changed since it was simulated: ${Object.keys(meshes).join(', ')}`;
    throw new UnderstoryError('corrupt', message, { runId: id });
  }
  const run: BundledRun = {
    name: row.name,
    scenarioHash: row.scenarioHash,
    version: row.version,
    engine: row.engine,
    isa: row.isa,
    sceneHash: row.sceneHash,
    seconds,
    control,
    state,
    end: row.end,
    error: row.error,
    simSeconds: row.simSeconds,
    points: row.points,
    metrics: row.metrics === null ? null : withoutMachine(row.metrics),
    heights: heights.length === 0 ? null : heightsHash,
  };
  const scans = scanColumns(catalogue.scanRecords(id));
  const identity = await identityOf(run, scans);
  return {
    identity,
    run,
    compiled,
    scans,
    heights,
    commands,
    meshFiles,
    meshSets,
    hasRecording,
  };
}

/** The bytes of an array. */
export function bytesOf(values: Float32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

async function recordedParts(
  ports: ContentPorts,
  row: RunRow,
  hasCommands: boolean,
): Promise<Pick<RunContents, 'heights' | 'commands'>> {
  const reader = await openRunRecording(ports, row);
  try {
    return {
      heights: reader.header.heights,
      commands: hasCommands ? await commandsOf(reader) : null,
    };
  } finally {
    await reader.close();
  }
}

/** The parts of a run that came without its recording. @throws UnderstoryError 'not-found' */
async function storedParts(
  { folders, files }: ContentPorts,
  { id }: RunRow,
  { recipe }: CompiledScenario,
  hasCommands: boolean,
): Promise<Pick<RunContents, 'heights' | 'commands'>> {
  const isFlat = !recipe.models.some(({ source }) => source.kind === 'height-field');
  return {
    heights: isFlat ? new Float32Array() : await readHeights(files, folders, id),
    commands: hasCommands ? await readCommands(files, folders, id) : null,
  };
}

/** The scenario without names of this machine: meshes by their contents, other files without folders. */
async function portable(
  { files }: ContentPorts,
  { id }: RunRow,
  stored: CompiledScenario,
  signal: AbortSignal,
): Promise<
  Pick<RunContents, 'compiled' | 'meshFiles' | 'meshSets'> & { meshes: Record<string, string> }
> {
  const meshFiles = new Map<string, string>();
  const meshSets = new Map<string, string>();
  const meshes: Record<string, string> = {};
  const models = [];
  for (const model of stored.recipe.models) {
    const { source } = model;
    if (source.kind !== 'mesh') {
      models.push(model);
      continue;
    }
    if (!(await files.exists(source.file))) {
      const message = `the mesh '${source.file}' of run ${id} is not there any more`;
      throw new UnderstoryError('not-found', message, { runId: id });
    }
    const mesh = await portableMesh(files, source, signal);
    meshes[source.file] = mesh.hash;
    for (const [entry, file] of mesh.files) meshFiles.set(entry, file);
    if (mesh.set !== null) meshSets.set(mesh.set.name, mesh.set.text);
    models.push({ ...model, source: { ...source, file: mesh.name } });
  }
  const compiled = { ...stored, recipe: { ...stored.recipe, models } };
  const text = JSON.stringify(compiled, withoutFolders);
  return { compiled: JSON.parse(text) as CompiledScenario, meshFiles, meshSets, meshes };
}

/** A file that was given by its absolute name is named without folders. */
function withoutFolders(key: string, value: unknown): unknown {
  const isFile = ['file', 'sensor', 'plant'].includes(key) && typeof value === 'string';
  return isFile && /^([/\\]|[A-Za-z]:)/.test(value) ? value.replace(/^.*[/\\]/, '') : value;
}

function withoutMachine(metrics: RunMetrics): BundledRun['metrics'] {
  const others = Object.entries(metrics).filter(
    ([name]) => !machineMetrics.some((known) => known === name),
  );
  return Object.fromEntries(others);
}

/** The metrics of a bundle, those of the machine being unknown. */
export function metricsOf(metrics: BundledRun['metrics']): RunMetrics | null {
  if (metrics === null) return null;
  const unknown = Object.fromEntries(machineMetrics.map((name) => [name, null]));
  return { ...metrics, ...unknown } as unknown as RunMetrics;
}
