// Parts of a scene, each from a file, as the text of one scenario. Guarantees: names are unique across parts, and
// every reference follows its name.
import { documentFormats } from '#contract/documents/versions.ts';
import type { Parsed, Problem } from '#contract/documents/problems.ts';
import type { SceneInput } from '#contract/documents/scene.ts';
import { pairYaml } from '#domain/scenario/yamlText.ts';
import { createNames, maxLetters, tidy } from './importedScene.ts';
import type { ImportedFile, ImportedScene } from './importedScene.ts';
import { assumedMaterial } from './materials.ts';

export interface ImportedDocument {
  text: string;
  files: ImportedFile[];
}

/** @param title name of the scenario; @param description where it came from */
export function importedDocument(
  title: string,
  description: string,
  parts: readonly ImportedScene[],
): Parsed<ImportedDocument> {
  const grounds = parts.filter(({ ground }) => ground !== null);
  const surveys = parts.flatMap(({ survey }) => (survey === null ? [] : [survey]));
  const systems = [...new Set(parts.flatMap(({ crs }) => (crs === null ? [] : [crs])))];
  const problems: Problem[] = [];
  const refuse = (message: string): void => {
    problems.push({ path: 'files', code: 'custom', message });
  };
  if (grounds.length > 1) refuse(`expected one file with a ground, found ${grounds.length}`);
  if (surveys.length > 1) refuse(`expected one file with a survey, found ${surveys.length}`);
  if (systems.length > 1) {
    refuse(`expected files of one coordinate reference system, found ${systems.join(' and ')}`);
  }
  if (problems.length > 0) return { value: null, problems };
  const { scene, files } = joined(parts);
  const taken = new Set<string>();
  const doubled = files.find(({ name }) => {
    const isTaken = taken.has(name);
    taken.add(name);
    return isTaken;
  });
  if (doubled !== undefined) {
    refuse(`expected files that do not both become '${doubled.name}': import them one by one`);
    return { value: null, problems };
  }
  const ground = grounds[0]?.ground ?? levelGround(parts, scene);
  const origin = originNear(scene, ground);
  const sensors = parts.flatMap((part) => part.sensors);
  const data = {
    name: title,
    description,
    ...(sensors.length > 0 && { sensors }),
    ...(surveys[0] && { survey: surveys[0] }),
    scene: {
      ...(origin && { origin }),
      ...(systems[0] !== undefined && { crs: systems[0] }),
      materials: scene.materials,
      models: scene.models,
      ...(ground !== null && { ground }),
      instances: scene.instances,
      scatters: scene.scatters,
    },
  };
  const text = documentText(data);
  if (text.length > maxLetters) {
    refuse(
      `expected a scenario of at most ${maxLetters} letters, found ${text.length}: leave out objects`,
    );
    return { value: null, problems };
  }
  return { value: { text, files }, problems: [] };
}

function documentText({ scene, ...head }: { name: string; description: string; scene: object }) {
  const style = { isJson: false };
  const lines = Object.entries(head).map(([key, value]) => pairYaml(key, value, 0, style));
  const contents = Object.entries(scene).filter(
    ([, value]: [string, string | object]) => Object.keys(value).length > 0,
  );
  const sceneLines = contents.map(([key, value]) => `  ${pairYaml(key, value, 2, style)}`);
  const version = `understory: ${documentFormats.scenario.version}`;
  return `${[version, ...lines, 'scene:', ...sceneLines].join('\n')}\n`;
}

interface JoinedScene {
  materials: ImportedScene['materials'];
  models: ImportedScene['models'];
  instances: ImportedScene['instances'];
  scatters: ImportedScene['scatters'];
}

/** One part stays as it is; of several, names of models, files and objects that are taken get a number. */
function joined(parts: readonly ImportedScene[]): { scene: JoinedScene; files: ImportedFile[] } {
  const scene: JoinedScene = { materials: {}, models: {}, instances: [], scatters: [] };
  const files: ImportedFile[] = [];
  const modelName = createNames();
  const objectName = createNames();
  for (const part of parts) {
    Object.assign(scene.materials, part.materials);
    const models = new Map(Object.keys(part.models).map((name) => [name, modelName(name)]));
    for (const [name, model] of Object.entries(part.models)) {
      scene.models[models.get(name) ?? name] = model;
    }
    const renamed = <T extends { name: string; model: string }>(placed: T): T => {
      const model = models.get(placed.model) ?? placed.model;
      return { ...placed, name: objectName(placed.name), model };
    };
    for (const instance of part.instances) scene.instances.push(renamed(instance));
    for (const scatter of part.scatters) scene.scatters.push(renamed(scatter));
    for (const file of part.files) files.push(file);
  }
  return { scene, files };
}

/** Coordinates up to here are single precision to 0.1 mm without an origin. */
const nearM = 1000;

/** A round place in the middle of the scene, where that is far from zero; null: no origin is needed. */
function originNear(
  { instances, scatters }: JoinedScene,
  ground: SceneInput['ground'] | null,
): [number, number, number] | null {
  const spans = [0, 1, 2].map(() => ({ low: Infinity, high: -Infinity }));
  const include = (place: readonly number[]): void => {
    for (const [axis, value] of place.entries()) {
      const span = spans[axis];
      if (!span) continue;
      span.low = Math.min(span.low, value);
      span.high = Math.max(span.high, value);
    }
  };
  if (ground && ground.kind !== 'none') {
    const [x, y] = ground.centreM ?? [0, 0];
    const heights = ground.kind === 'height-field' ? ground.zM : [ground.zM ?? 0];
    for (const z of heights) include([x, y, z]);
  }
  for (const { positionM, onGround } of instances) {
    include(onGround === false ? positionM : positionM.slice(0, 2));
  }
  for (const { areaM } of scatters) areaM.forEach(include);
  if (!spans.some(({ low, high }) => Math.max(-low, high) > nearM)) return null;
  const round = ({ low, high }: { low: number; high: number }): number =>
    low > high ? 0 : Math.round((low + high) / 200) * 100;
  const [x, y, z] = spans.map(round);
  return [x ?? 0, y ?? 0, z ?? 0];
}

/** Level ground 20 m around the objects, where a part needs one. */
function levelGround(
  parts: readonly ImportedScene[],
  { instances, materials }: JoinedScene,
): SceneInput['ground'] | null {
  if (!parts.some(({ needsGround }) => needsGround) || instances.length === 0) return null;
  const margin = 20;
  const [x, y] = ([0, 1] as const).map((axis) => {
    let [low, high] = [Infinity, -Infinity];
    for (const { positionM } of instances) {
      low = Math.min(low, positionM[axis]);
      high = Math.max(high, positionM[axis]);
    }
    return { size: tidy(high - low + 2 * margin), centre: tidy((low + high) / 2) };
  });
  if (!x || !y) return null;
  materials['ground'] ??= assumedMaterial('ground');
  return {
    kind: 'plane',
    sizeM: [x.size, y.size],
    centreM: [x.centre, y.centre],
    material: 'ground',
  };
}
