// The sensors of a scenario with their mounts, or one that a request asks for in their place.
import { formatPath, type Parsed, type Problem } from '#contract/documents/problems.ts';
import type { Scenario, SensorMount } from '#contract/documents/scenario.ts';
import type { Sensor } from '#contract/documents/sensor.ts';
import { returnModes, type ReturnMode } from '#contract/documents/sensorReturns.ts';
import type { CompiledSensor } from '#contract/host/run.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { compileSensor, type SensorSettings } from '#domain/sensor/compileSensor.ts';
import { rotationFromDegrees } from '#domain/shared/pose.ts';
import type { Files } from '#services/ports/files.ts';
import { mountProblems, settingsOfSensor, type Setting } from '#domain/scenario/settings.ts';
import { failed, findDocument, problem, readReferred } from './documentFiles.ts';

/** A sensor as an argument of a scan or drive: by id or file, with its rate and mode where they are given. */
export interface RequestedSensor {
  /** Left out: the one that the scenario's survey names. */
  sensor?: string | undefined;
  rateHz?: number | undefined;
  mode?: string | undefined;
}

/** A checked sensor and what it compiles to. */
export interface LoadedSensor {
  sensor: Sensor;
  recipe: SensorRecipe;
}

export interface Rig {
  /** As the scenario of the run states them. */
  mounts: SensorMount[];
  sensors: CompiledSensor[];
  /** The absolute file of each. */
  sensorFiles: string[];
  /** Their documents. */
  sources: SensorSource[];
}

/** A sensor's document with the settings that its recipe has. */
export interface SensorSource extends LoadedSensor {
  settings: SensorSettings;
}

/** The scenario's own sensors; problems at their paths in the scenario. */
export async function loadRig(
  files: Files,
  mounts: readonly SensorMount[],
  scenarioFile: string,
  settings: readonly Setting[] = [],
): Promise<Parsed<Rig>> {
  const at = (index: number, field: string): string => formatPath(['sensors', index, field]);
  return loadMounts(files, mounts, scenarioFile, at, settings);
}

/**
 * The requested sensor alone: at the scenario's first mount, or 2 m up where it has none. It is not searched for
 * in the scenario's folder. Problems at the fields of the request.
 */
export async function loadRequestedRig(
  files: Files,
  { sensor, rateHz, mode }: RequestedSensor & { sensor: string },
  first: SensorMount | undefined,
  settings: readonly Setting[] = [],
): Promise<Parsed<Rig>> {
  const ofMode = mode === undefined ? [] : modeProblems(mode);
  const mount: SensorMount = {
    name: first?.name ?? 'lidar',
    sensor,
    mount: first?.mount ?? { positionM: [0, 0, 2], yawDeg: 0, pitchDeg: 0, rollDeg: 0 },
    rateHz,
    mode: isReturnMode(mode) ? mode : undefined,
    ...(first?.body !== undefined && { body: first.body }),
    clock: first?.clock ?? { phaseMs: 0, offsetMs: 0, driftPpm: 0 },
  };
  const rig = await loadMounts(files, [mount], null, (_, field) => field, settings);
  return ofMode.length > 0 ? failed([...ofMode, ...rig.problems]) : rig;
}

/**
 * The sensor that the scenario's survey names, alone, as it is mounted; its rate and mode where the request has none.
 * Problems at its fields in the scenario.
 */
export async function loadSurveyRig(
  files: Files,
  { rateHz, mode }: RequestedSensor,
  { sensors, survey }: Scenario,
  scenarioFile: string,
  settings: readonly Setting[] = [],
): Promise<Parsed<Rig>> {
  const index = sensors.findIndex(({ name }) => name === survey?.sensor);
  const mount = sensors[index];
  if (mount === undefined) {
    const found = survey === undefined ? 'found no survey in the scenario' : 'found none there';
    const message = `expected a sensor file, the id of a sample, or survey.sensor in the scenario; ${found}`;
    return failed([problem('sensor', message)]);
  }
  const ofMode = mode === undefined ? [] : modeProblems(mode);
  if (ofMode.length > 0) return failed(ofMode);
  const used: SensorMount = {
    ...mount,
    ...(rateHz !== undefined && { rateHz }),
    ...(isReturnMode(mode) && { mode }),
  };
  const at = (_: number, field: string): string => formatPath(['sensors', index, field]);
  return loadMounts(files, [used], scenarioFile, at, settings);
}

/** Problems of a requested sensor itself. */
export async function requestedSensorProblems(
  files: Files,
  { sensor, mode }: RequestedSensor,
): Promise<Problem[]> {
  if (sensor === undefined) return mode === undefined ? [] : modeProblems(mode);
  const { problems } = await readReferred(files, { kind: 'sensor', name: sensor, at: 'sensor' });
  return [...(mode === undefined ? [] : modeProblems(mode)), ...problems];
}

async function loadMounts(
  files: Files,
  mounts: readonly SensorMount[],
  from: string | null,
  pathOf: (index: number, field: 'sensor' | 'rateHz' | 'mode') => string,
  given: readonly Setting[],
): Promise<Parsed<Rig>> {
  const problems = mountProblems(
    given,
    mounts.map(({ name }) => name),
  );
  const sensors: CompiledSensor[] = [];
  const sensorFiles: string[] = [];
  const sources: SensorSource[] = [];
  for (const [index, { name, sensor, mount, rateHz, mode, serial, clock }] of mounts.entries()) {
    const settings = { rateHz, mode, serial, clock, stream: index };
    const ofSensor = settingsOfSensor(given, name);
    const read = await readSensor(files, sensor, from, settings, ofSensor);
    if (read.value === null && read.problems.some(({ path }) => path.startsWith('sensor.'))) {
      for (const found of read.problems) problems.push(found);
      continue;
    }
    if (read.value === null) {
      const at = (path: string): string =>
        pathOf(index, path === 'rateHz' || path === 'mode' ? path : 'sensor');
      for (const found of read.problems) problems.push({ ...found, path: at(found.path) });
      continue;
    }
    const { positionM, yawDeg, pitchDeg, rollDeg } = mount;
    const rotation = rotationFromDegrees(yawDeg, pitchDeg, rollDeg);
    const { recipe, sensor: document } = read.value;
    const { driver, laserScan } = document;
    const recorded = { ...(driver && { driver }), ...(laserScan && { laserScan }) };
    sensors.push({ name, recipe, mount: { positionM, rotation }, ...recorded });
    sources.push({ sensor: document, recipe, settings });
    sensorFiles.push((await findDocument(files, 'sensors', sensor, from)) ?? sensor);
  }
  if (problems.length > 0) return failed(problems);
  return { value: { mounts: [...mounts], sensors, sensorFiles, sources }, problems: [] };
}

/** A sensor by file or id; `from`: the file that refers to it. */
export async function readSensor(
  files: Files,
  fileOrId: string,
  from: string | null,
  settings: SensorSettings,
  given: readonly Setting[] = [],
): Promise<Parsed<LoadedSensor>> {
  const reference = {
    kind: 'sensor',
    name: fileOrId,
    from,
    at: 'sensor',
    settings: given,
  } as const;
  const read = await readReferred(files, reference);
  return read.value === null ? read : withRecipe(read.value, settings);
}

/** The sensor compiled, or why it cannot be. */
export function withRecipe(sensor: Sensor, settings: SensorSettings): Parsed<LoadedSensor> {
  const recipe = compileSensor(sensor, settings);
  if (recipe.value === null) return recipe;
  return { value: { sensor, recipe: recipe.value }, problems: [] };
}

export function isReturnMode(mode: string | undefined): mode is ReturnMode {
  return returnModes.some((known) => known === mode);
}

export function modeProblems(mode: string): Problem[] {
  if (isReturnMode(mode)) return [];
  return [problem('mode', `expected one of ${returnModes.join(', ')}, found '${mode}'`)];
}
