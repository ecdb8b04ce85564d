// Documents: a scenario with every file it refers to, read, checked and compiled. Scenarios and sensors
// are files, or the ids of samples that come with Understory. Problems in a file that another refers to
// are reported at the reference, with the file's name and the path in it.
import { unusedAir, weatherProblems } from '#domain/sensor/airEffects.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { Parsed, Problem } from '#contract/documents/problems.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import type { Scenario } from '#contract/documents/scenario.ts';
import type { SensorSummary } from '#contract/documents/sensor.ts';
import type { ReturnMode } from '#contract/documents/sensorReturns.ts';
import { scenarioHashInput } from '#domain/scenario/canonicalJson.ts';
import { placeProblems } from '#domain/autonomy/places.ts';
import { compileSensor, type SensorSettings } from '#domain/sensor/compileSensor.ts';
import { summariseSensor } from '#domain/sensor/summary.ts';
import { parseSettings, type Setting } from '#domain/scenario/settings.ts';
import { estimateProblems } from '#domain/vegetation/estimateProblems.ts';
import {
  failed,
  problem,
  parseText,
  findDocument,
  readable,
  readDocument,
  readSamples,
  unknownSample,
} from './documentFiles.ts';
import { distanceProblem } from '#contract/documents/scenarioPlaces.ts';
import { sensorNotices } from '#domain/sensor/sensorNotices.ts';
import type { Notice } from '#domain/shared/notice.ts';
import { driveFromWorld } from '#domain/scene/georeference.ts';
import { originOf, placeToScene } from '#contract/worldOrigin.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import type { Files } from '#services/ports/files.ts';
import { problemOfSystem } from './systems.ts';
import { referralProblems } from './referralProblems.ts';
import {
  isReturnMode,
  loadRequestedRig,
  loadRig,
  loadSurveyRig,
  modeProblems,
  readSensor,
  requestedSensorProblems,
  withRecipe,
  type LoadedSensor,
  type RequestedSensor,
  type Rig,
} from './rig.ts';
import { heightsHash, loadScene } from './sceneFiles.ts';
import { loadSurvey, type LoadedSurvey } from './survey.ts';

/** Replacements that a request makes in a scenario. */
export interface ScenarioOverrides {
  seed?: number | undefined;
  /** Instead of the mission's. */
  startM?: readonly [number, number] | undefined;
  goalM?: readonly [number, number] | undefined;
  /** In place of the file's contents; the file, which need not exist then, says where others are looked for. */
  text?: string | undefined;
  /** Fields of the scenario and of its sensors with other values than in their files (domain/scenario/settings.ts). */
  settings?: readonly string[] | undefined;
  /** As SceneOptions. */
  isBaking?: boolean | undefined;
  /** Ends the reading. */
  signal?: AbortSignal | undefined;
}

export interface LoadedScenario {
  compiled: CompiledScenario;
  /** Heights of the ground in metres, row by row from the south; empty without a height field. */
  heights: Float32Array;
  /** The absolute file of each of the scenario's sensors, in its order. */
  sensorFiles: string[];
  /** SHA-256, hex, of each mesh file by its name in the recipe. */
  meshes: Readonly<Record<string, string>>;
  /** Null: the scenario has none. */
  survey: LoadedSurvey | null;
}

/** A scenario or its problems, those of a requested sensor apart. */
interface Loaded {
  value: LoadedScenario | null;
  problems: Problem[];
  /** At the request's fields: sensor, rateHz, mode. */
  sensorProblems: Problem[];
}

export type Documents = ReturnType<typeof createDocuments>;

/** Reads documents through `files`; never throws for what a person wrote, except `compile`. */
export function createDocuments({ files }: { files: Files }) {
  /**
   * A scenario by file or sample id, everything it refers to included, or every problem. A requested sensor takes
   * the place of the scenario's own.
   */
  async function loadScenario(
    fileOrId: string,
    overrides: ScenarioOverrides = {},
    requested: RequestedSensor | null = null,
  ): Promise<Parsed<LoadedScenario>> {
    const { value, problems, sensorProblems } = await load(fileOrId, overrides, requested);
    return value === null ? failed([...problems, ...sensorProblems]) : { value, problems: [] };
  }

  async function load(
    fileOrId: string,
    overrides: ScenarioOverrides,
    requested: RequestedSensor | null,
  ): Promise<Loaded> {
    const { text, signal, isBaking } = overrides;
    const given = parseSettings(overrides.settings ?? []);
    if (given.value === null) return refused(given.problems);
    const ofScenario = given.value.filter((setting) => setting.document === 'scenario');
    const ofSensors = given.value.filter((setting) => setting.document === 'sensor');
    const found = await findDocument(files, 'scenarios', fileOrId);
    const file = found ?? (text === undefined ? null : fileOrId);
    if (file === null) return refused([await unknownSample(files, 'scenarios', fileOrId)]);
    const parsed =
      text === undefined
        ? await readDocument(files, 'scenario', file, { signal, settings: ofScenario })
        : await parseText(files, 'scenario', text, { name: file, signal }, ofScenario);
    if (parsed.value === null) {
      const [inScenario, inSensor] = await Promise.all([
        scenarioProblems(file, parsed.problems, overrides, requested !== null),
        requested === null ? [] : requestedSensorProblems(files, requested),
      ]);
      return refused(inScenario, inSensor);
    }
    const scenario = withOverrides(parsed.value, overrides);
    const ofCrs = await crsProblems(files, scenario.scene.crs);
    const [scene, rig] = await Promise.all([
      loadScene(files, scenario, file, { isBaking, signal }),
      rigOf(files, scenario, file, requested, ofSensors),
    ]);
    if (scene.value === null || rig.value === null || ofCrs.length > 0) {
      const inScene = [...ofCrs, ...scene.problems];
      return requested === null
        ? refused([...inScene, ...rig.problems])
        : refused(inScene, rig.problems);
    }
    const { recipe, heights, meshes } = scene.value;
    const { sources } = rig.value;
    const surveyed = scenario.sensors.findIndex(({ name }) => name === scenario.survey?.sensor);
    const source = requested === null ? sources[surveyed] : sources[0];
    const survey = await loadSurvey(files, scenario, file, scene.value, source, signal);
    if (survey.problems.length > 0) return refused(survey.problems);
    // A sensor that a request chooses may be for something else than the survey.
    const ofSurvey = requested?.sensor === undefined ? survey.value?.sensorProblems : undefined;
    if (ofSurvey !== undefined && ofSurvey.length > 0) return refused(ofSurvey);
    const { mounts, sensors, sensorFiles } = rig.value;
    const recipes = sensors.map((sensor) => sensor.recipe);
    // For a sensor that a request chooses, scan.start reports it as a note.
    const air = requested === null ? unusedAir(recipe.atmosphere, recipes) : null;
    const places = requestedPlaceProblems(scenario, recipe, overrides);
    const inAir = [...(air ? [air] : []), ...weatherProblems(recipe.weather, recipes)];
    const ofLeaves = estimateProblems(scenario, recipe);
    const ofScene = [...places, ...inAir, ...ofLeaves];
    if (ofScene.length > 0) return refused(ofScene);
    const compiled = {
      scenario: { ...scenario, sensors: mounts },
      recipe,
      sensors,
      ...(overrides.settings?.length && { settings: [...overrides.settings] }),
    };
    const hashInput = scenarioHashInput(compiled, {
      meshes,
      heights: await heightsHash(heights),
    });
    const scenarioHash = await files.hashOf(hashInput);
    const value = {
      compiled: { ...compiled, scenarioHash },
      heights,
      sensorFiles,
      meshes,
      survey: survey.value,
    };
    return { value, problems: [], sensorProblems: [] };
  }

  /** All problems of a scenario that has some itself, including those of the files it refers to. */
  async function scenarioProblems(
    file: string,
    found: readonly Problem[],
    { text: given, signal }: ScenarioOverrides,
    hasOtherSensor: boolean,
  ): Promise<Problem[]> {
    const text = given ?? (await readable('(document)', () => files.readText(file, signal))).value;
    if (text === null) return [...found];
    return [
      ...found,
      ...(await referralProblems(files, file, text, found, !hasOtherSensor, signal)),
    ];
  }

  /**
   * As loadScenario. @throws UnderstoryError 'bad-input' with every problem in details.problems; it names the
   * requested sensor where nothing else is wrong
   */
  async function compile(
    fileOrId: string,
    overrides: ScenarioOverrides = {},
    requested: RequestedSensor | null = null,
  ): Promise<LoadedScenario> {
    const { value, problems, sensorProblems } = await load(fileOrId, overrides, requested);
    if (value !== null) return value;
    const all = [...problems, ...sensorProblems];
    const lines = all.map(({ path, message }) => `  ${path}: ${message}`);
    const document =
      requested?.sensor !== undefined && problems.length === 0
        ? `sensor '${requested.sensor}'`
        : `scenario '${fileOrId}'`;
    const message = `${document} cannot be used:\n${lines.join('\n')}`;
    throw new UnderstoryError('bad-input', message, { problems: all });
  }

  async function listScenarios(): Promise<
    { id: string; name: string; description: string; file: string }[]
  > {
    const samples = await readSamples(files, 'scenario');
    return samples.map(({ id, file, value }) => {
      return { id, name: value.name, description: value.description, file };
    });
  }

  return { loadScenario, compile, listScenarios, ...sensorDocuments(files) };
}

/** The scenario's own sensors, or the one that a request or the survey names in their place. */
function rigOf(
  files: Files,
  scenario: Scenario,
  file: string,
  requested: RequestedSensor | null,
  settings: readonly Setting[],
): Promise<Parsed<Rig>> {
  if (requested === null) return loadRig(files, scenario.sensors, file, settings);
  const { sensor } = requested;
  if (sensor === undefined) return loadSurveyRig(files, requested, scenario, file, settings);
  return loadRequestedRig(files, { ...requested, sensor }, scenario.sensors[0], settings);
}

/** The part about sensors alone. */
function sensorDocuments(files: Files) {
  /** A sensor by file or sample id, or from a text: the checked document and what it compiles to. */
  async function loadSensor(
    fileOrId: string,
    settings: SensorSettings = {},
    text?: string,
    given: readonly string[] = [],
  ): Promise<Parsed<LoadedSensor>> {
    const ofSensor = sensorSettings(given);
    if (ofSensor.value === null) return ofSensor;
    if (text === undefined) return readSensor(files, fileOrId, null, settings, ofSensor.value);
    const parsed = await parseText(files, 'sensor', text, { name: fileOrId }, ofSensor.value);
    return parsed.value === null ? parsed : withRecipe(parsed.value, settings);
  }

  /** As loadSensor, with a mode by name. @throws UnderstoryError 'bad-input' with every problem */
  async function expectSensor(
    fileOrId: string,
    { mode, ...settings }: Omit<SensorSettings, 'mode'> & { mode?: string | undefined },
    text?: string,
    given: readonly string[] = [],
  ): Promise<LoadedSensor> {
    const withMode = { ...settings, mode: mode === undefined ? undefined : returnModeOf(mode) };
    const { value, problems } = await loadSensor(fileOrId, withMode, text, given);
    if (value !== null) return value;
    throw new UnderstoryError('bad-input', `sensor '${fileOrId}' cannot be used`, { problems });
  }

  /** Every problem of a sensor's file, at its path in the file, and remarks on one without. */
  async function checkSensor(
    fileOrId: string,
    given: readonly string[] = [],
  ): Promise<{ problems: Problem[]; notices: Notice[] }> {
    const refusedBy = (problems: Problem[]) => ({ problems, notices: [] });
    const ofSensor = sensorSettings(given);
    if (ofSensor.value === null) return refusedBy(ofSensor.problems);
    const file = await findDocument(files, 'sensors', fileOrId);
    if (file === null) return refusedBy([await unknownSample(files, 'sensors', fileOrId)]);
    const parsed = await readDocument(files, 'sensor', file, { settings: ofSensor.value });
    if (parsed.value === null) return refusedBy(parsed.problems);
    const { value, problems } = compileSensor(parsed.value);
    return { problems, notices: value === null ? [] : sensorNotices(value) };
  }

  async function listSensors(): Promise<
    { id: string; name: string; file: string; summary: SensorSummary | null }[]
  > {
    const samples = await readSamples(files, 'sensor');
    return samples.map(({ id, file, value }) => {
      return { id, name: value.name, file, summary: summariseSensor(value) };
    });
  }

  return { loadSensor, expectSensor, checkSensor, listSensors };
}

/** Settings of a sensor alone: a scenario's field or a mount is a problem. */
function sensorSettings(texts: readonly string[]): Parsed<Setting[]> {
  const { value, problems } = parseSettings(texts);
  if (value === null) return { value, problems };
  const other = texts.filter((_, index) => {
    const setting = value[index];
    return setting?.document !== 'sensor' || setting.mount !== null;
  });
  if (other.length === 0) return { value, problems: [] };
  return failed(
    other.map((text) => problem('set', `expected sensor.… for a sensor alone, found '${text}'`)),
  );
}

function withOverrides(scenario: Scenario, overrides: ScenarioOverrides): Scenario {
  const { startM, goalM } = overrides;
  return {
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
}

async function crsProblems(files: Files, crs: string | undefined): Promise<Problem[]> {
  if (crs === undefined) return [];
  const found = await problemOfSystem(files, crs);
  return found === null ? [] : [problem('scene.crs', found)];
}

/** Problems of a start or goal that a request gives in world coordinates. */
function requestedPlaceProblems(
  scenario: Scenario,
  recipe: SceneRecipe,
  { startM, goalM }: ScenarioOverrides,
): Problem[] {
  const originM = originOf(scenario.scene);
  const given = Object.entries({ startM, goalM }).flatMap(([name, place]) =>
    place === undefined ? [] : [{ name, place }],
  );
  const far = given.flatMap(({ name, place }) => {
    const message = distanceProblem(originM, place);
    return message === null ? [] : [problem(name, message)];
  });
  if (far.length > 0) return far;
  const inScene = given.map(({ name, place }) => [name, placeToScene(originM, place)]);
  const places = Object.fromEntries(inScene) as Pick<ScenarioOverrides, 'startM' | 'goalM'>;
  return placeProblems({ ...scenario, ...driveFromWorld(scenario) }, recipe, places);
}

function refused(problems: readonly Problem[], sensorProblems: readonly Problem[] = []): Loaded {
  return { value: null, problems: [...problems], sensorProblems: [...sensorProblems] };
}

/** The mode of that name. @throws UnderstoryError 'bad-input' */
function returnModeOf(mode: string): ReturnMode {
  if (isReturnMode(mode)) return mode;
  throw new UnderstoryError('bad-input', `there is no mode '${mode}'`, {
    problems: modeProblems(mode),
  });
}
