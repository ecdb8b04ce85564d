// Documents: a scenario with every file it refers to, read, checked and compiled. Scenarios and sensors
// are files, or the ids of samples that come with Understory. Problems in a file that another refers to
// are reported at the reference, with the file's name and the path in it.
import { UnderstoryError } from '#contract/errors.ts';
import { formatPath, type Parsed, type Problem } from '#contract/documents/problems.ts';
import type { SensorRecipe } from '#contract/worker/recipe.ts';
import type { CompiledScenario, CompiledSensor } from '#contract/host/run.ts';
import type { Scenario, SensorMount } from '#contract/documents/scenario.ts';
import type { Sensor, SensorSummary } from '#contract/documents/sensor.ts';
import { returnModes, type ReturnMode } from '#contract/documents/sensorReturns.ts';
import { scenarioHashInput } from '#domain/scenario/canonicalJson.ts';
import { parseScenario, parseSensor } from '#domain/scenario/documentText.ts';
import { rotationFromDegrees } from '#domain/shared/pose.ts';
import { placeProblems } from '#domain/autonomy/places.ts';
import { compileSensor, type SensorSettings } from '#domain/sensor/compileSensor.ts';
import { summariseSensor } from '#domain/sensor/summary.ts';
import {
  failed,
  findDocument,
  problem,
  readable,
  readDocument,
  readReferred,
  readSamples,
  unknownSample,
} from './documentFiles.ts';
import type { Files } from '#services/ports/files.ts';
import { referralProblems } from './referralProblems.ts';
import { loadScene, sha256 } from './sceneFiles.ts';

/** What a request may replace in a scenario. */
export interface ScenarioOverrides {
  seed?: number | undefined;
  /** Id or file: the only sensor, at the scenario's first mount, or 2 m up where it has none. */
  sensor?: string | undefined;
  /** With `sensor`: instead of its own rate and mode. */
  rateHz?: number | undefined;
  mode?: string | undefined;
  /** Instead of the mission's. */
  startM?: readonly [number, number] | undefined;
  goalM?: readonly [number, number] | undefined;
  /** In place of the file's contents; the file, which need not exist then, says where others are looked for. */
  text?: string | undefined;
  /** Ends the reading. */
  signal?: AbortSignal | undefined;
}

export interface LoadedScenario {
  compiled: CompiledScenario;
  /** Heights of the ground in metres, row by row from the south; empty without a height field. */
  heights: Float32Array;
  /** Of the scenario's sensors, in its order: the absolute file of each. */
  sensorFiles: string[];
}

/** A checked sensor and what it compiles to. */
export interface LoadedSensor {
  sensor: Sensor;
  recipe: SensorRecipe;
}

/** Where problems of a sensor are reported that was given from outside. */
const givenPaths = ['sensor', 'rateHz', 'mode'] as const;

export type Documents = ReturnType<typeof createDocuments>;

/** Reads documents through `files`; never throws for what a person wrote, except `compile`. */
export function createDocuments({ files }: { files: Files }) {
  /** A scenario by file or sample id, everything it refers to included, or every problem. */
  async function loadScenario(
    fileOrId: string,
    overrides: ScenarioOverrides = {},
  ): Promise<Parsed<LoadedScenario>> {
    const { text, signal } = overrides;
    const found = await findDocument(files, 'scenarios', fileOrId);
    const file = found ?? (text === undefined ? null : fileOrId);
    if (file === null) return failed([await unknownSample(files, 'scenarios', fileOrId)]);
    const parsed =
      text === undefined
        ? await readDocument(files, parseScenario, file, signal)
        : parseScenario(text);
    if (parsed.value === null) return failed(await allProblems(file, parsed.problems, overrides));
    const scenario = withOverrides(parsed.value, overrides);
    // Why: a sensor given from outside is not looked for in the scenario's folder.
    const sensorsFrom = overrides.sensor === undefined ? file : null;
    const [scene, sensors] = await Promise.all([
      loadScene(files, scenario, file, signal),
      loadMounts(files, scenario.sensors, sensorsFrom),
    ]);
    const mode = overrides.mode === undefined ? [] : modeProblems(overrides.mode);
    if (scene.value === null || sensors.value === null || mode.length > 0) {
      return failed([...mode, ...scene.problems, ...sensors.problems]);
    }
    const { recipe, heights, meshes } = scene.value;
    const places = placeProblems(scenario, recipe, overrides);
    if (places.length > 0) return failed(places);
    const compiled = { scenario, recipe, sensors: sensors.value };
    const hashInput = scenarioHashInput(compiled, {
      meshes,
      heights: await sha256(bytesOf(heights)),
    });
    const scenarioHash = await sha256(new TextEncoder().encode(hashInput));
    const sensorFiles = scenario.sensors.map(
      async ({ sensor }) => (await findDocument(files, 'sensors', sensor, sensorsFrom)) ?? sensor,
    );
    const value = {
      compiled: { ...compiled, scenarioHash },
      heights,
      sensorFiles: await Promise.all(sensorFiles),
    };
    return { value, problems: [] };
  }

  /** Of a scenario that has problems itself: those of the files it refers to as well. */
  async function allProblems(
    file: string,
    found: readonly Problem[],
    { sensor, mode, text: given, signal }: ScenarioOverrides,
  ): Promise<Problem[]> {
    const ofMode = mode === undefined ? [] : modeProblems(mode);
    const text = given ?? (await readable('(document)', () => files.readText(file, signal))).value;
    const ofFiles =
      text === null
        ? []
        : await referralProblems(files, file, text, found, sensor === undefined, signal);
    if (sensor === undefined) return [...found, ...ofMode, ...ofFiles];
    const ofSensor = await readReferred(files, 'sensors', parseSensor, sensor, null, 'sensor');
    return [...found, ...ofMode, ...ofFiles, ...ofSensor.problems];
  }

  /**
   * As loadScenario. @throws UnderstoryError 'bad-input' with every problem in details.problems; it names the sensor that
   * was given where nothing else is wrong
   */
  async function compile(
    fileOrId: string,
    overrides: ScenarioOverrides = {},
  ): Promise<LoadedScenario> {
    const { value, problems } = await loadScenario(fileOrId, overrides);
    if (value !== null) return value;
    const lines = problems.map(({ path, message }) => `  ${path}: ${message}`);
    const { sensor } = overrides;
    const isOfSensor = problems.every(({ path }) => givenPaths.some((given) => given === path));
    const what =
      sensor !== undefined && isOfSensor ? `sensor '${sensor}'` : `scenario '${fileOrId}'`;
    const message = `${what} cannot be used:\n${lines.join('\n')}`;
    throw new UnderstoryError('bad-input', message, { problems });
  }

  /** A sensor by file or sample id, or from a text: the checked document and what it compiles to. */
  async function loadSensor(
    fileOrId: string,
    settings: SensorSettings = {},
    text?: string,
  ): Promise<Parsed<LoadedSensor>> {
    if (text === undefined) return readSensor(files, fileOrId, null, settings);
    const parsed = parseSensor(text);
    return parsed.value === null ? parsed : withRecipe(parsed.value, settings);
  }

  /** As loadSensor, with a mode by name. @throws UnderstoryError 'bad-input' with every problem */
  async function expectSensor(
    fileOrId: string,
    { mode, ...settings }: Omit<SensorSettings, 'mode'> & { mode?: string | undefined },
    text?: string,
  ): Promise<LoadedSensor> {
    const withMode = { ...settings, mode: mode === undefined ? undefined : returnModeOf(mode) };
    const { value, problems } = await loadSensor(fileOrId, withMode, text);
    if (value !== null) return value;
    throw new UnderstoryError('bad-input', `sensor '${fileOrId}' cannot be used`, { problems });
  }

  /** Every problem of a sensor's file, at its path in the file. */
  async function checkSensor(fileOrId: string): Promise<Problem[]> {
    const file = await findDocument(files, 'sensors', fileOrId);
    if (file === null) return [await unknownSample(files, 'sensors', fileOrId)];
    const parsed = await readDocument(files, parseSensor, file);
    return parsed.value === null ? parsed.problems : compileSensor(parsed.value).problems;
  }

  /** Every problem of a scenario, its referred files included. */
  async function checkScenario(fileOrId: string, signal?: AbortSignal): Promise<Problem[]> {
    return (await loadScenario(fileOrId, { signal })).problems;
  }

  async function listScenarios(): Promise<
    { id: string; name: string; description: string; file: string }[]
  > {
    const samples = await readSamples(files, 'scenarios', parseScenario);
    return samples.map(({ id, file, value }) => {
      return { id, name: value.name, description: value.description, file };
    });
  }

  async function listSensors(): Promise<
    { id: string; name: string; file: string; summary: SensorSummary | null }[]
  > {
    const samples = await readSamples(files, 'sensors', parseSensor);
    return samples.map(({ id, file, value }) => {
      return { id, name: value.name, file, summary: summariseSensor(value) };
    });
  }

  return {
    loadScenario,
    compile,
    loadSensor,
    expectSensor,
    checkScenario,
    checkSensor,
    listScenarios,
    listSensors,
  };
}

async function loadMounts(
  files: Files,
  mounts: readonly SensorMount[],
  from: string | null,
): Promise<Parsed<CompiledSensor[]>> {
  const problems: Problem[] = [];
  const sensors: CompiledSensor[] = [];
  for (const [index, { name, sensor, mount, rateHz, mode, clock }] of mounts.entries()) {
    const settings = { rateHz, mode, clock, stream: index };
    const read = await readSensor(files, sensor, from, settings);
    if (read.value === null) {
      const at = (path: string): string => {
        const field = path === 'rateHz' ? path : 'sensor';
        // Why: a sensor given from outside is a field of the request, not of the scenario.
        return from === null ? field : formatPath(['sensors', index, field]);
      };
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
): Promise<Parsed<LoadedSensor>> {
  const read = await readReferred(files, 'sensors', parseSensor, fileOrId, from, 'sensor');
  return read.value === null ? read : withRecipe(read.value, settings);
}

function withRecipe(sensor: Sensor, settings: SensorSettings): Parsed<LoadedSensor> {
  const recipe = compileSensor(sensor, settings);
  if (recipe.value === null) return recipe;
  return { value: { sensor, recipe: recipe.value }, problems: [] };
}

function withOverrides(scenario: Scenario, overrides: ScenarioOverrides): Scenario {
  const { startM, goalM } = overrides;
  const changed: Scenario = {
    ...scenario,
    seed: overrides.seed ?? scenario.seed,
    ...(scenario.mission && {
      mission: {
        ...scenario.mission,
        ...(startM && { startM: [...startM] }),
        ...(goalM && { goalM: [...goalM] }),
      },
    }),
  };
  if (overrides.sensor === undefined) return changed;
  const [first] = scenario.sensors;
  const mount: SensorMount = {
    name: first?.name ?? 'lidar',
    sensor: overrides.sensor,
    mount: first?.mount ?? { positionM: [0, 0, 2], yawDeg: 0, pitchDeg: 0, rollDeg: 0 },
    rateHz: overrides.rateHz,
    mode: isReturnMode(overrides.mode) ? overrides.mode : undefined,
    clock: first?.clock ?? { phaseMs: 0, offsetMs: 0, driftPpm: 0 },
  };
  return { ...changed, sensors: [mount] };
}

function isReturnMode(mode: string | undefined): mode is ReturnMode {
  return returnModes.some((known) => known === mode);
}

/** The mode of that name. @throws UnderstoryError 'bad-input' */
function returnModeOf(mode: string): ReturnMode {
  if (isReturnMode(mode)) return mode;
  throw new UnderstoryError('bad-input', `there is no mode '${mode}'`, {
    problems: modeProblems(mode),
  });
}

function modeProblems(mode: string): Problem[] {
  if (isReturnMode(mode)) return [];
  return [problem('mode', `expected one of ${returnModes.join(', ')}, found '${mode}'`)];
}

function bytesOf(values: Float32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}
