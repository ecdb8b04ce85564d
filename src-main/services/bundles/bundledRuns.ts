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
import { oneLine, parseWith } from '#contract/documents/problems.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { CompiledScenario, DriveCommand, ScanRecord } from '#contract/host/run.ts';
import { heightCountOf } from '#contract/host/compiledRules.ts';
import { firstProblem } from '#contract/host/storedScenario.ts';
import { scenarioHashInput } from '#domain/scenario/canonicalJson.ts';
import type { TextJobs } from '#domain/scenario/textJobs.ts';
import type { BundleReader } from '#services/ports/bundles.ts';
import type { Files } from '#services/ports/files.ts';
import { sha256 } from '#services/sha256.ts';
import { identityOf } from './runContents.ts';
import { scanKey } from '#services/runs/scanKey.ts';
import { commandsFrom, commandsName, jsonOf } from '#services/runs/sideFiles.ts';
import { hashesInNames } from '#services/runs/storedDocument.ts';

export interface BundledRunParts {
  identity: string;
  run: BundledRun;
  /** Meshes are named as in the bundle. */
  compiled: CompiledScenario;
  /** The same as the bundle has it, in the form of the version that stored it. */
  stored: CompiledScenario;
  scans: ScanRecord[];
  commands: DriveCommand[] | null;
  /** Entries of meshes and of files beside them, and where each belongs in a data folder. */
  meshes: { entry: string; file: string }[];
  heights: string | null;
  recording: string | null;
  /** Entries outside of its folder that it uses. */
  shared: string[];
}

/** A run of a bundle. @throws UnderstoryError 'corrupt' */
export async function readBundledRun(
  file: string,
  reader: BundleReader,
  identity: string,
  { texts, files }: { texts: TextJobs; files: Pick<Files, 'hashOf'> },
): Promise<BundledRunParts> {
  const folder = `runs/${identity}`;
  const damaged = (reason: string): UnderstoryError =>
    new UnderstoryError('corrupt', `'${file}' is damaged: ${reason}`, { file });
  const text = async (name: string): Promise<string> =>
    new TextDecoder().decode(await reader.read(`${folder}/${name}`));
  const { value: run, problems } = parseWith(bundledRunSchema, jsonOf(await text('run.json')));
  if (run === null) throw damaged(`run.json: ${firstProblem(problems)}`);
  const json = await text('scenario.json');
  const { value: compiled, problems: inScenario } = await texts.compiled(
    { name: file },
    json,
    'bundle',
  );
  if (compiled === null) throw damaged(`scenario.json: ${firstProblem(inScenario)}`);
  const listed = parseWith(bundledScansSchema, jsonOf(await text('scans.json')));
  if (listed.value === null) throw damaged(`scans.json: ${firstProblem(listed.problems)}`);
  const columns = listed.value;
  const inScans = scansProblem(columns, compiled);
  if (inScans !== null) throw damaged(`scans.json: ${inScans}`);
  if ((await identityOf(run, columns)) !== identity || compiled.scenarioHash !== run.scenarioHash) {
    throw damaged(`run ${identity.slice(0, 12)} is not what its identity says`);
  }
  const meshes: BundledRunParts['meshes'] = [];
  const shared: string[] = [];
  const hashes = hashesInNames(compiled);
  for (const name of Object.keys(hashes)) {
    const { files: ofMesh, list } = await meshEntries(reader, name, damaged);
    meshes.push(...ofMesh);
    shared.push(...ofMesh.map(({ entry }) => entry), ...(list === null ? [] : [list]));
  }
  const heights = run.heights === null ? null : `heights/${run.heights}.f32`;
  if (heights !== null) shared.push(heights);
  const heightBytes = heights === null ? 0 : reader.entries.get(heights)?.bytes;
  if (heightBytes !== 4 * heightCountOf(compiled.recipe)) {
    throw damaged('its heights are not those of its height field');
  }
  const content = {
    meshes: hashes,
    heights: run.heights ?? (await sha256(new Uint8Array())),
  };
  // Why the stored form: each version hashed what it stored, and a check that a version could switch off is none.
  const stored = (await texts.json({ name: file }, json)) as CompiledScenario;
  if ((await files.hashOf(scenarioHashInput(stored, content))) !== run.scenarioHash) {
    throw damaged('its scenario is not the one that was simulated');
  }
  const commands = run.control !== 'autonomy' ? commandsFrom(await text(commandsName), file) : null;
  const recording = `${folder}/recording.mcap`;
  return {
    identity,
    run,
    compiled,
    stored,
    scans: scanRecords(columns),
    commands,
    meshes,
    heights,
    recording: reader.entries.has(recording) ? recording : null,
    shared,
  };
}

/** The files of a mesh, each of them in the bundle. @throws what `damaged` makes */
async function meshEntries(
  reader: BundleReader,
  name: string,
  damaged: (reason: string) => UnderstoryError,
): Promise<{ files: BundledRunParts['meshes']; list: string | null }> {
  const [, set, hash, ending] = storedMesh.exec(name) ?? [];
  const has = (entry: string, contents: string | undefined): boolean =>
    contents !== undefined && reader.entries.get(entry)?.sha256 === contents;
  const mesh = `meshes/${hash}.${ending}`;
  if (!has(mesh, hash)) throw damaged(`the mesh ${name.slice(0, 100)} is missing`);
  if (set === undefined) return { files: [{ entry: mesh, file: name }], list: null };
  const list = `meshes/${set}.json`;
  if (!has(list, set)) throw damaged(`the list of the files of ${name.slice(0, 100)} is missing`);
  const text = new TextDecoder().decode(await reader.read(list));
  const { value, problems } = parseWith(meshSetSchema, jsonOf(text));
  if (value === null) throw damaged(`${list}: ${firstProblem(problems)}`);
  if (value.mesh !== hash) throw damaged(`${list} is that of another mesh`);
  const beside = value.beside.map(({ name: own, sha256: contents }) => {
    const entry = `beside/${contents}`;
    if (!has(entry, contents)) throw damaged(`the file '${oneLine(own)}' of a mesh is missing`);
    return { entry, file: `meshes/${set}/${own}` };
  });
  return { files: [...beside, { entry: mesh, file: name }], list };
}

/** The fault of a list of scans; null: nothing. */
function scansProblem(columns: BundledScans, { sensors }: CompiledScenario): string | null {
  const { length } = columns.tick;
  const other = Object.entries(columns).find(([, values]) => values.length !== length);
  if (other !== undefined)
    return `${other[0]}: expected ${length} values, found ${other[1].length}`;
  const seen = new Set<string>();
  for (const scan of scanRecords(columns)) {
    const { tick, sensor, fromNs, toNs } = scan;
    if (sensor >= sensors.length) {
      return `sensor: expected one of ${sensors.length} sensors, found ${sensor}`;
    }
    if (toNs < fromNs) return `toNs: expected at least ${fromNs}, found ${toNs}`;
    if (seen.has(scanKey(scan)))
      return `expected each scan once, found tick ${tick}, sensor ${sensor} twice`;
    seen.add(scanKey(scan));
  }
  return null;
}

/** Lists of equal length by row. */
function scanRecords(columns: BundledScans): ScanRecord[] {
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
