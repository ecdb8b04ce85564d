// The description of a run, from a catalogue and its recording: independent of when and where it was simulated.
// Guarantees: equal runs give equal contents and the same identity, on any machine.
import type { BundledRun, BundledScans } from '#contract/documents/bundle.ts';
import { UnderstoryError } from '#contract/errors.ts';
import { withoutFolders } from '#contract/documents/fileNames.ts';
import type { CompiledScenario, DriveCommand, RunMetrics, ScanRecord } from '#contract/host/run.ts';
import { driveMetricsSchema, machineMetrics, runMetricsSchema } from '#contract/host/runMetrics.ts';
import { canonicalJson, scenarioHashInput } from '#domain/scenario/canonicalJson.ts';
import type { TextJobs } from '#domain/scenario/textJobs.ts';
import { compiledOf, storedFormOf, withStoredMeshes } from '#services/runs/storedDocument.ts';
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
  files: Pick<
    Files,
    'hash' | 'freshHash' | 'hashOf' | 'pieces' | 'readText' | 'exists' | 'resolveFrom' | 'size'
  >;
}

export interface RunContents {
  identity: string;
  run: BundledRun;
  /** With the names that a bundle gives to files. */
  compiled: CompiledScenario;
  /** The same in the form in which its version stored it. */
  stored: CompiledScenario;
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
  signal: AbortSignal,
): Promise<RunContents> {
  const { catalogue, folders, files } = ports;
  const { id, state } = row;
  if (state === 'running') {
    throw new UnderstoryError('locked', `run ${id} is under way: stop it first`, { runId: id });
  }
  const present = withStoredMeshes(folders, row, await compiledOf(ports, id));
  // Why beside it: a hash is that of the form in which its version stored the scenario.
  const stored = await storedFormOf(ports, id);
  const { seconds, control = 'autonomy' } = catalogue.order(id);
  const hasRecording = folders.recordingBytes(id) !== null;
  const { heights, commands } = hasRecording
    ? await recordedParts(ports, row, control !== 'autonomy')
    : await storedParts(ports, row, present, control !== 'autonomy');
  const heightsHash = await sha256(bytesOf(heights));
  const meshes = await meshHashes(ports, id, present, signal);
  const hash = await files.hashOf(
    scenarioHashInput(stored, { meshes: namedAs(stored, present, meshes), heights: heightsHash }),
  );
  // Why before a mesh is read: one of another data folder is read only where it is the one that was simulated.
  if (hash !== row.scenarioHash) {
    const message =
      meshes.size > 0
        ? `the meshes of run ${id} have been changed since it was simulated: ${[...meshes.keys()].join(', ')}`
        : `the catalogue's scenario of run ${id} is not the one that was simulated`;
    throw new UnderstoryError('corrupt', message, { runId: id });
  }
  const { names, meshFiles, meshSets } = await portable(ports, present, signal);
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
    metrics: row.metrics === null ? null : driveMetricsSchema.parse(row.metrics),
    heights: heights.length === 0 ? null : heightsHash,
  };
  const scans = scanColumns(catalogue.scanRecords(id));
  const identity = await identityOf(run, scans);
  return {
    identity,
    run,
    compiled: withNames(present, names),
    stored: withNames(stored, names),
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

/** SHA-256 of each mesh, by its file. @throws UnderstoryError 'not-found' for one that is gone */
async function meshHashes(
  { files }: ContentPorts,
  runId: string,
  { recipe }: CompiledScenario,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for (const { source } of recipe.models) {
    if (source.kind !== 'mesh' || hashes.has(source.file)) continue;
    if (!(await files.exists(source.file))) {
      const message = `the mesh '${source.file}' of run ${runId} is not there any more`;
      throw new UnderstoryError('not-found', message, { runId });
    }
    hashes.set(source.file, await files.hash(source.file, signal));
  }
  return hashes;
}

/** The hashes by the names that the stored form has. */
function namedAs(
  stored: CompiledScenario,
  present: CompiledScenario,
  hashes: ReadonlyMap<string, string>,
): Record<string, string> {
  const named = stored.recipe.models.flatMap(({ source }, index): [string, string][] => {
    const here = present.recipe.models[index]?.source;
    if (source.kind !== 'mesh' || here?.kind !== 'mesh') return [];
    return [[source.file, hashes.get(here.file) ?? '']];
  });
  return Object.fromEntries(named);
}

/** Entries of a bundle for the meshes, and their names there by index of the model. */
async function portable(
  { files }: ContentPorts,
  { recipe }: CompiledScenario,
  signal: AbortSignal,
): Promise<Pick<RunContents, 'meshFiles' | 'meshSets'> & { names: Map<number, string> }> {
  const meshFiles = new Map<string, string>();
  const meshSets = new Map<string, string>();
  const names = new Map<number, string>();
  for (const [index, { source }] of recipe.models.entries()) {
    if (source.kind !== 'mesh') continue;
    const mesh = await portableMesh(files, source, signal);
    names.set(index, mesh.name);
    for (const [entry, file] of mesh.files) meshFiles.set(entry, file);
    if (mesh.set !== null) meshSets.set(mesh.set.name, mesh.set.text);
  }
  return { names, meshFiles, meshSets };
}

/** The scenario without names of this machine: meshes by their contents, other files without folders. */
function withNames(
  compiled: CompiledScenario,
  names: ReadonlyMap<number, string>,
): CompiledScenario {
  const models = compiled.recipe.models.map((model, index) => {
    const file = names.get(index);
    if (model.source.kind !== 'mesh' || file === undefined) return model;
    return { ...model, source: { ...model.source, file } };
  });
  const named = { ...compiled, recipe: { ...compiled.recipe, models } };
  return JSON.parse(JSON.stringify(named, withoutFolders)) as CompiledScenario;
}

/** The metrics of a bundle, those of the machine being unknown. */
export function metricsOf(metrics: BundledRun['metrics']): RunMetrics | null {
  if (metrics === null) return null;
  const unknown = Object.fromEntries(machineMetrics.map((name) => [name, null]));
  return runMetricsSchema.parse({ ...metrics, ...unknown });
}
