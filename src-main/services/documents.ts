// Documents: a scenario with every file it refers to, read, checked and compiled. Scenarios and sensors
// are files, or the ids of samples that come with Understory. Problems in a file that another refers to
// are reported at the reference, with the file's name and the path in it.
import { decode } from 'fast-png';
import { UnderstoryError } from '#contract/errors.ts';
import type { Plant } from '#contract/plant.ts';
import { formatPath, type Parsed, type Problem } from '#contract/problems.ts';
import type { SceneRecipe, SensorRecipe } from '#contract/recipe.ts';
import type { CompiledScenario, CompiledSensor } from '#contract/run.ts';
import type { Scenario, SensorMount } from '#contract/scenario.ts';
import { returnModes, type ReturnMode, type Sensor } from '#contract/sensor.ts';
import { scenarioHashInput } from '#domain/scenario/canonicalJson.ts';
import { parsePlant, parseScenario, parseSensor } from '#domain/scenario/documentText.ts';
import { compileScene, type SceneReferences } from '#domain/scene/compileScene.ts';
import { heightsOf } from '#domain/scene/heightField.ts';
import { rotationFromDegrees } from '#domain/scene/rotation.ts';
import { compileSensor, type SensorSettings } from '#domain/sensor/compileSensor.ts';
import type { Files } from './ports.ts';

/** What a request may replace in a scenario. */
export interface ScenarioOverrides {
  seed?: number | undefined;
  /** Id or file: the only sensor, at the scenario's first mount, or 2 m up where it has none. */
  sensor?: string | undefined;
  /** With `sensor`: instead of its own rate and mode. */
  rateHz?: number | undefined;
  mode?: string | undefined;
}

export interface LoadedScenario {
  compiled: CompiledScenario;
  /** Heights of the ground in metres, row by row from the south; empty without a height field. */
  heights: Float32Array;
}

export type Documents = ReturnType<typeof createDocuments>;

/** Reads documents through `files`; never throws for what a person wrote, except `compile`. */
export function createDocuments({ files }: { files: Files }) {
  /** A scenario by file or sample id, everything it refers to included, or every problem. */
  async function loadScenario(
    fileOrId: string,
    overrides: ScenarioOverrides = {},
  ): Promise<Parsed<LoadedScenario>> {
    const file = await findDocument(files, 'scenarios', fileOrId);
    if (file === null) return failed([await unknownSample(files, 'scenarios', fileOrId)]);
    const parsed = await readDocument(files, parseScenario, file);
    if (parsed.value === null) return parsed;
    const scenario = withOverrides(parsed.value, overrides);
    // Why: a sensor given from outside is not looked for in the scenario's folder.
    const sensorsFrom = overrides.sensor === undefined ? file : null;
    const [scene, sensors] = await Promise.all([
      loadScene(files, scenario, file),
      loadMounts(files, scenario.sensors, sensorsFrom),
    ]);
    const mode = overrides.mode === undefined ? [] : modeProblems(overrides.mode);
    if (scene.value === null || sensors.value === null || mode.length > 0) {
      return failed([...mode, ...scene.problems, ...sensors.problems]);
    }
    const { recipe, heights, meshes } = scene.value;
    const compiled = { scenario, recipe, sensors: sensors.value };
    const hashInput = scenarioHashInput(compiled, {
      meshes,
      heights: await sha256(bytesOf(heights)),
    });
    const scenarioHash = await sha256(new TextEncoder().encode(hashInput));
    return { value: { compiled: { ...compiled, scenarioHash }, heights }, problems: [] };
  }

  /** As loadScenario. @throws UnderstoryError 'bad-input' with every problem in details.problems */
  async function compile(
    fileOrId: string,
    overrides: ScenarioOverrides = {},
  ): Promise<LoadedScenario> {
    const { value, problems } = await loadScenario(fileOrId, overrides);
    if (value !== null) return value;
    const lines = problems.map(({ path, message }) => `  ${path}: ${message}`);
    const message = `scenario '${fileOrId}' cannot be used:\n${lines.join('\n')}`;
    throw new UnderstoryError('bad-input', message, { problems });
  }

  /** A sensor by file or sample id: the checked document and what it compiles to. */
  async function loadSensor(
    fileOrId: string,
    settings: SensorSettings = {},
  ): Promise<Parsed<{ sensor: Sensor; recipe: SensorRecipe }>> {
    return readSensor(files, fileOrId, null, settings);
  }

  /** Every problem of a scenario, its referred files included. */
  async function checkScenario(fileOrId: string): Promise<Problem[]> {
    return (await loadScenario(fileOrId)).problems;
  }

  async function listScenarios(): Promise<
    { id: string; name: string; description: string; file: string }[]
  > {
    const samples = await readSamples(files, 'scenarios', parseScenario);
    return samples.map(({ id, file, value }) => {
      return { id, name: value.name, description: value.description, file };
    });
  }

  async function listSensors(): Promise<{ id: string; name: string; file: string }[]> {
    const samples = await readSamples(files, 'sensors', parseSensor);
    return samples.map(({ id, file, value }) => ({ id, name: value.name, file }));
  }

  return { loadScenario, compile, loadSensor, checkScenario, listScenarios, listSensors };
}

type Parse<T> = (text: string) => Parsed<T>;
type SampleFolder = 'sensors' | 'scenarios' | 'plants';

// --- the scene and what it refers to -------------------------------------------------------------

interface LoadedScene {
  recipe: SceneRecipe;
  heights: Float32Array;
  /** SHA-256 of each mesh file by absolute name. */
  meshes: Record<string, string>;
}

async function loadScene(
  files: Files,
  { scene, seed }: Scenario,
  from: string,
): Promise<Parsed<LoadedScene>> {
  const problems: Problem[] = [];
  const plants = new Map<string, Plant>();
  const meshFiles = new Map<string, MeshFile>();
  const meshes: Record<string, string> = {};
  for (const [name, model] of Object.entries(scene.models)) {
    if (model.kind === 'plant') {
      const at = formatPath(['scene', 'models', name, 'plant']);
      const plant = await readReferred(files, 'plants', parsePlant, model.plant, from, at);
      if (plant.value === null) problems.push(...plant.problems);
      else plants.set(name, plant.value);
    } else if (model.kind === 'mesh') {
      const at = formatPath(['scene', 'models', name, 'file']);
      const mesh = await readMesh(files, files.resolveFrom(from, model.file), at);
      if (mesh.value === null) {
        problems.push(...mesh.problems);
      } else {
        const { file, format, hash } = mesh.value;
        meshFiles.set(name, { file, format });
        meshes[file] = hash;
      }
    }
  }
  const field = await readHeightField(files, scene.ground, from);
  problems.push(...field.problems);
  if (problems.length > 0 || field.value === null) return failed(problems);
  const { heights, heightField } = field.value;
  const recipe = compileScene(scene, { plants, meshes: meshFiles, heightField }, seed);
  if (recipe.value === null) return recipe;
  return { value: { recipe: recipe.value, heights, meshes }, problems: [] };
}

const meshFormats = ['obj', 'ply', 'stl'] as const;

interface MeshFile {
  /** Absolute. */
  file: string;
  format: (typeof meshFormats)[number];
}

async function readMesh(
  files: Files,
  file: string,
  at: string,
): Promise<Parsed<MeshFile & { hash: string }>> {
  const format = meshFormats.find((ending) => file.toLowerCase().endsWith(`.${ending}`));
  if (format === undefined) {
    return failed([problem(at, `expected a file .obj, .ply or .stl, found '${file}'`)]);
  }
  const bytes = await readable(at, () => files.readBytes(file));
  if (bytes.value === null) return bytes;
  return { value: { file, format, hash: await sha256(bytes.value) }, problems: [] };
}

async function readHeightField(
  files: Files,
  ground: Scenario['scene']['ground'],
  from: string,
): Promise<Parsed<{ heights: Float32Array; heightField: SceneReferences['heightField'] }>> {
  if (ground.kind !== 'height-field') {
    return { value: { heights: new Float32Array(), heightField: null }, problems: [] };
  }
  const at = 'scene.ground.file';
  const file = files.resolveFrom(from, ground.file);
  const bytes = await readable(at, () => files.readBytes(file));
  if (bytes.value === null) return bytes;
  let picture;
  try {
    picture = decode(bytes.value);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failed([problem(at, `expected a PNG, found something else in '${file}': ${reason}`)]);
  }
  const { width, height, depth, channels, data } = picture;
  if (depth !== 16 || channels !== 1 || !(data instanceof Uint16Array)) {
    const found = `${depth} bits and ${channels} channels`;
    return failed([problem(at, `expected 16-bit grey, found ${found} in '${file}'`)]);
  }
  if (width < 2 || height < 2) {
    const message = `expected at least 2 × 2 samples, found ${width} × ${height} in '${file}'`;
    return failed([problem(at, message)]);
  }
  const heights = heightsOf({ columns: width, rows: height, values: data }, ground.zM);
  return { value: { heights, heightField: { columns: width, rows: height } }, problems: [] };
}

// --- sensors -------------------------------------------------------------------------------------

async function loadMounts(
  files: Files,
  mounts: readonly SensorMount[],
  from: string | null,
): Promise<Parsed<CompiledSensor[]>> {
  const problems: Problem[] = [];
  const sensors: CompiledSensor[] = [];
  for (const [index, { name, sensor, mount, rateHz, mode }] of mounts.entries()) {
    const read = await readSensor(files, sensor, from, { rateHz, mode });
    if (read.value === null) {
      const at = (path: string): string =>
        formatPath(['sensors', index, path === 'rateHz' ? path : 'sensor']);
      problems.push(...read.problems.map((found) => ({ ...found, path: at(found.path) })));
      continue;
    }
    const { positionM, yawDeg, pitchDeg, rollDeg } = mount;
    const rotation = rotationFromDegrees(yawDeg, pitchDeg, rollDeg);
    sensors.push({ name, recipe: read.value.recipe, mount: { positionM, rotation } });
  }
  return problems.length > 0 ? failed(problems) : { value: sensors, problems: [] };
}

async function readSensor(
  files: Files,
  fileOrId: string,
  from: string | null,
  settings: SensorSettings,
): Promise<Parsed<{ sensor: Sensor; recipe: SensorRecipe }>> {
  const read = await readReferred(files, 'sensors', parseSensor, fileOrId, from, 'sensor');
  if (read.value === null) return read;
  const recipe = compileSensor(read.value, settings);
  if (recipe.value === null) return recipe;
  return { value: { sensor: read.value, recipe: recipe.value }, problems: [] };
}

function withOverrides(scenario: Scenario, overrides: ScenarioOverrides): Scenario {
  const seed = overrides.seed ?? scenario.seed;
  if (overrides.sensor === undefined) return { ...scenario, seed };
  const [first] = scenario.sensors;
  const mount: SensorMount = {
    name: first?.name ?? 'lidar',
    sensor: overrides.sensor,
    mount: first?.mount ?? { positionM: [0, 0, 2], yawDeg: 0, pitchDeg: 0, rollDeg: 0 },
    rateHz: overrides.rateHz,
    mode: isReturnMode(overrides.mode) ? overrides.mode : undefined,
  };
  return { ...scenario, seed, sensors: [mount] };
}

function isReturnMode(mode: string | undefined): mode is ReturnMode {
  return returnModes.some((known) => known === mode);
}

function modeProblems(mode: string): Problem[] {
  if (isReturnMode(mode)) return [];
  return [problem('mode', `expected one of ${returnModes.join(', ')}, found '${mode}'`)];
}

// --- files ---------------------------------------------------------------------------------------

/** A document that another refers to; problems are reported at the reference, `at`. */
async function readReferred<T>(
  files: Files,
  folder: SampleFolder,
  parse: Parse<T>,
  fileOrId: string,
  from: string | null,
  at: string,
): Promise<Parsed<T>> {
  const file = await findDocument(files, folder, fileOrId, from);
  if (file === null)
    return failed([{ ...(await unknownSample(files, folder, fileOrId)), path: at }]);
  const parsed = await readDocument(files, parse, file);
  if (parsed.value !== null) return parsed;
  return failed(
    parsed.problems.map(({ path, code, message }) => {
      return { path: at, code, message: `${file}: ${path}: ${message}` };
    }),
  );
}

async function readDocument<T>(files: Files, parse: Parse<T>, file: string): Promise<Parsed<T>> {
  const text = await readable('(document)', () => files.readText(file));
  return text.value === null ? text : parse(text.value);
}

/** The file meant by a name: a sample's id first, then a file seen from the folder of `from`. */
async function findDocument(
  files: Files,
  folder: SampleFolder,
  fileOrId: string,
  from: string | null = null,
): Promise<string | null> {
  const samples = await files.listAssets(folder);
  const sample = samples.find((file) => sampleId(file) === fileOrId);
  if (sample !== undefined) return sample;
  const file = from === null ? fileOrId : files.resolveFrom(from, fileOrId);
  return (await files.exists(file)) ? file : null;
}

async function unknownSample(
  files: Files,
  folder: SampleFolder,
  fileOrId: string,
): Promise<Problem> {
  const known = (await files.listAssets(folder)).map(sampleId).join(', ');
  const kind = folder.slice(0, -1);
  const message = `expected a ${kind} file, or one of ${known}, found '${fileOrId}'`;
  return { path: kind, code: 'not-found', message };
}

async function readSamples<T>(
  files: Files,
  folder: SampleFolder,
  parse: Parse<T>,
): Promise<{ id: string; file: string; value: T }[]> {
  const read = (await files.listAssets(folder)).map(async (file) => {
    const { value } = await readDocument(files, parse, file);
    return value === null ? [] : [{ id: sampleId(file), file, value }];
  });
  return (await Promise.all(read)).flat();
}

/** 'courtyard' for …/courtyard.understory.yaml. */
function sampleId(file: string): string {
  const name = file.split(/[\\/]/).at(-1) ?? file;
  return name.replace(/(\.understory)?\.(ya?ml|json)$/, '');
}

/** A refused read is a problem of the document that named the file. */
async function readable<T>(at: string, read: () => Promise<T>): Promise<Parsed<T>> {
  try {
    return { value: await read(), problems: [] };
  } catch (error) {
    if (!(error instanceof UnderstoryError)) throw error;
    return failed([{ path: at, code: error.code, message: error.message }]);
  }
}

function problem(path: string, message: string): Problem {
  return { path, code: 'custom', message };
}

function failed(problems: Problem[]): { value: null; problems: Problem[] } {
  return { value: null, problems };
}

function bytesOf(values: Float32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/** SHA-256, hex. */
async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes.slice());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
