// The runs in an open bundle, checked: every document by its schema, every name of a file against the entries, and the
// identity against what it is the hash of.
import {
  bundledRunSchema,
  bundledScansSchema,
  meshSetSchema,
  storedMesh,
  type BundledRun,
  type BundledScans,
} from '#contract/documents/bundle.ts';
import { parseWith } from '#contract/documents/problems.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { CompiledScenario, DriveCommand, ScanRecord } from '#contract/host/run.ts';
import { compiledFromStored } from '#contract/host/storedScenario.ts';
import { sceneRecipeSchema, sensorRecipeSchema } from '#contract/worker/recipe.ts';
import { scenarioHashInput } from '#domain/scenario/canonicalJson.ts';
import type { BundleReader } from '#services/ports/bundles.ts';
import type { Files } from '#services/ports/files.ts';
import { sha256 } from '#services/sha256.ts';
import { identityOf } from './runContents.ts';
import { commandsFrom, commandsName, jsonOf } from '#services/runs/sideFiles.ts';

export interface BundledRunParts {
  identity: string;
  run: BundledRun;
  /** Meshes are named as in the bundle. */
  compiled: CompiledScenario;
  scans: ScanRecord[];
  commands: DriveCommand[] | null;
  /** Entries of meshes and of files beside them, and where each belongs in a data folder. */
  meshes: { entry: string; file: string }[];
  heights: string | null;
  recording: string | null;
}

/**
 * A run of a bundle. @param ports.version of this Understory
 * @throws UnderstoryError 'corrupt'
 */
export async function readBundledRun(
  file: string,
  reader: BundleReader,
  identity: string,
  { version, files }: { version: string; files: Pick<Files, 'hashOf'> },
): Promise<BundledRunParts> {
  const folder = `runs/${identity}`;
  const damaged = (reason: string): UnderstoryError =>
    new UnderstoryError('corrupt', `'${file}' is damaged: ${reason}`, { file });
  const text = async (name: string): Promise<string> =>
    new TextDecoder().decode(await reader.read(`${folder}/${name}`));
  const { value: run, problems } = parseWith(bundledRunSchema, jsonOf(await text('run.json')));
  if (run === null) throw damaged(`run.json: ${problems[0]?.path}: ${problems[0]?.message}`);
  const columns = parseWith(bundledScansSchema, jsonOf(await text('scans.json'))).value;
  const scans = columns === null ? null : scanRecords(columns);
  if (columns === null || scans === null) throw damaged('its list of scans cannot be used');
  const compiled = compiledOf(jsonOf(await text('scenario.json')));
  if (compiled === null) throw damaged('its scenario cannot be used');
  if ((await identityOf(run, columns)) !== identity || compiled.scenarioHash !== run.scenarioHash) {
    throw damaged(`run ${identity.slice(0, 12)} is not what its identity says`);
  }
  const names = meshNames(compiled);
  const meshes: BundledRunParts['meshes'] = [];
  for (const name of names) meshes.push(...(await meshEntries(reader, name, damaged)));
  const heights = run.heights === null ? null : `heights/${run.heights}.f32`;
  if (heights !== null && reader.entries.get(heights)?.sha256 !== run.heights) {
    throw damaged('its height field is missing');
  }
  const content = {
    meshes: Object.fromEntries(names.map((name) => [name, storedMesh.exec(name)?.[2] ?? ''])),
    heights: run.heights ?? (await sha256(new Uint8Array())),
  };
  // Why only of this version: others may have hashed other fields.
  if (run.version === version) {
    const hash = await files.hashOf(scenarioHashInput(compiled, content));
    if (hash !== run.scenarioHash) throw damaged('its scenario is not the one that was simulated');
  }
  const commands = run.control !== 'autonomy' ? commandsFrom(await text(commandsName), file) : null;
  const recording = `${folder}/recording.mcap`;
  return {
    identity,
    run,
    compiled,
    scans,
    commands,
    meshes,
    heights,
    recording: reader.entries.has(recording) ? recording : null,
  };
}

/** Names of the meshes of a scene, each once. */
function meshNames({ recipe }: CompiledScenario): string[] {
  const names = recipe.models.flatMap(({ source }) => (source.kind === 'mesh' ? source.file : []));
  return [...new Set(names)];
}

/** The files of a mesh, each of them in the bundle. @throws what `damaged` makes */
async function meshEntries(
  reader: BundleReader,
  name: string,
  damaged: (reason: string) => UnderstoryError,
): Promise<BundledRunParts['meshes']> {
  const [, set, hash, ending] = storedMesh.exec(name) ?? [];
  const has = (entry: string, contents: string | undefined): boolean =>
    contents !== undefined && reader.entries.get(entry)?.sha256 === contents;
  const mesh = `meshes/${hash}.${ending}`;
  if (!has(mesh, hash)) throw damaged(`the mesh ${name.slice(0, 100)} is missing`);
  if (set === undefined) return [{ entry: mesh, file: name }];
  const list = `meshes/${set}.json`;
  if (!has(list, set)) throw damaged(`the list of the files of ${name.slice(0, 100)} is missing`);
  const text = new TextDecoder().decode(await reader.read(list));
  const { value } = parseWith(meshSetSchema, jsonOf(text));
  if (value === null || value.mesh !== hash) throw damaged(`${list} cannot be used`);
  const beside = value.beside.map(({ name: own, sha256: contents }) => {
    const entry = `beside/${contents}`;
    if (!has(entry, contents)) throw damaged(`the file '${own}' of a mesh is missing`);
    return { entry, file: `meshes/${set}/${own}` };
  });
  return [...beside, { entry: mesh, file: name }];
}

/** Null where it is not one. */
function compiledOf(stored: unknown): CompiledScenario | null {
  try {
    const compiled = compiledFromStored(stored);
    const { recipe, sensors, scenario, scenarioHash } = compiled;
    const isRecipe = sceneRecipeSchema.safeParse(recipe).success;
    const areSensors = sensors.every((one) => sensorRecipeSchema.safeParse(one.recipe).success);
    const isNamed = typeof scenario.name === 'string' && typeof scenarioHash === 'string';
    return isRecipe && areSensors && isNamed ? compiled : null;
  } catch {
    return null;
  }
}

/** Null where the lists differ in length. */
function scanRecords(columns: BundledScans): ScanRecord[] | null {
  const { length } = columns.tick;
  if (Object.values(columns).some((values) => values.length !== length)) return null;
  return columns.tick.map((tick, i) => ({
    tick,
    sensor: columns.sensor[i] ?? 0,
    fromNs: columns.fromNs[i] ?? 0,
    toNs: columns.toNs[i] ?? 0,
    pulses: columns.pulses[i] ?? 0,
    returns: columns.returns[i] ?? 0,
    hash: columns.hash[i] ?? '',
  }));
}
