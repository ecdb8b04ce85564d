// New parts for a scenario, as they begin: whole enough to be valid, and small enough to be changed at once.
import type { DocumentEdit } from '#contract/host/documentMethods.ts';
import { entries, field, items } from '#contract/documents/unknownData.ts';
import { valueAt } from './sceneOutline.ts';
import { sceneParts } from './sceneParts.ts';
import { surveyOfKind } from './surveyKinds.ts';
import { addEdits, freeName, namesIn, missingMaterials, type Change } from './sceneChanges.ts';

interface PartToAdd {
  /** In the menu. */
  text: string;
  /** Where it is can be clicked in the view. */
  isPlaced?: boolean;
  /** Only in scenes with a model. */
  isOfModel?: boolean;
  /** Place of a part of which a scenario has one at most. */
  place?: readonly string[];
  /** Shape of a new model, and the height of its origin above the ground. */
  shape?: Readonly<Record<string, unknown>>;
  originM?: number;
}

type OnceKind = 'mission' | 'survey' | 'estimate' | 'atmosphere' | 'weather' | 'wind';
const once = (kind: OnceKind) => ({ text: sceneParts[kind].title, place: sceneParts[kind].place });

/** Parts that one click can add, in the order of the menu. */
export const newParts = {
  instance: { text: 'Object from a model', isPlaced: true, isOfModel: true },
  scatter: { text: 'Scatter from a model', isPlaced: true, isOfModel: true },
  stand: { text: 'Stand of trees', isPlaced: true },
  wall: { text: 'Wall', isPlaced: true },
  box: { text: 'Box', isPlaced: true, shape: { kind: 'box', sizeM: [1, 1, 1] }, originM: 0.5 },
  cylinder: {
    text: 'Cylinder',
    isPlaced: true,
    shape: { kind: 'cylinder', radiusM: 0.25, heightM: 2 },
    originM: 0,
  },
  sphere: {
    text: 'Sphere',
    isPlaced: true,
    shape: { kind: 'sphere', radiusM: 0.5 },
    originM: 0.5,
  },
  material: { text: 'Material' },
  motion: { text: 'Motion', isPlaced: true },
  sensor: { text: 'Sensor on the vehicle' },
  mission: once('mission'),
  survey: once('survey'),
  estimate: once('estimate'),
  atmosphere: once('atmosphere'),
  weather: once('weather'),
  wind: once('wind'),
} as const satisfies Record<string, PartToAdd>;
export type NewPart = keyof typeof newParts;

/** Parts that a scenario can have more of. */
export function offeredParts(data: unknown): { kind: NewPart; text: string; isPlaced: boolean }[] {
  const hasModels = namesIn(data, 'models').length > 0;
  return Object.entries(newParts).flatMap(([kind, part]: [string, PartToAdd]) => {
    const { text, isPlaced = false, isOfModel = false, place } = part;
    const isThere = place !== undefined && valueAt(data, place) !== undefined;
    // Why the cast: Object.entries loses the names.
    return isThere || (isOfModel && !hasModels) ? [] : [{ kind: kind as NewPart, text, isPlaced }];
  });
}

export interface MeshChoice {
  /** As it is written: seen from the scenario's folder, or absolute. */
  file: string;
  name: string;
  unit: string;
  upAxis: string;
  material: string;
  positionM: [number, number, number];
  /** Names of materials in the file, with their colours, '#rrggbb', where it gives them. */
  inFile?: readonly { name: string; colour: string | null }[];
}

/** Parts in the middle of the scene, or at a clicked place. */
export function newPart(
  data: unknown,
  kind: NewPart,
  sensor: string,
  positionM: [number, number, number] = [0, 0, 0],
): Change {
  const scene = field(data, 'scene');
  const [model = 'box'] = namesIn(data, 'models');
  const [material = 'soil'] = namesIn(data, 'materials');
  const [x, y] = positionM;
  const placedOf = (of: string): Change =>
    addEdits(data, ['scene', 'instances'], {
      name: freeName(data, `${of}-a`),
      model: of,
      positionM,
    });
  switch (kind) {
    case 'instance':
      return placedOf(model);
    case 'scatter':
      return addEdits(data, ['scene', 'scatters'], {
        name: freeName(data, `${model}-scatter`),
        model,
        count: 10,
        areaM: squareAbout(x, y),
        scale: [0.8, 1.2],
      });
    case 'stand':
      return addEdits(data, ['scene', 'stands'], {
        kind: 'distribution',
        name: freeName(data, 'stand'),
        areaM: squareAbout(x, y),
        stemsPerHa: 500,
        mixture: { 'norway-spruce': 1, 'european-beech': 1 },
        pattern: { kind: 'hard-core', distanceM: 1 },
      });
    case 'wall':
      return addEdits(data, ['scene', 'walls'], {
        name: freeName(data, 'wall'),
        fromM: [x - 2, y],
        toM: [x + 2, y],
        heightM: 2,
        thicknessM: 0.2,
        material,
      });
    case 'material': {
      const name = freeKey(field(scene, 'materials'), 'material');
      const value = { reflectance: 0.4, colour: '#9a9a9a' };
      return addEdits(data, ['scene', 'materials'], value, name);
    }
    case 'motion': {
      const value = { kind: 'rotating', pivotM: positionM, rateDegPerS: 30 };
      return addEdits(
        data,
        ['scene', 'motions'],
        value,
        freeKey(field(scene, 'motions'), 'motion'),
      );
    }
    case 'sensor': {
      const taken = new Set(items(field(data, 'sensors')).map((one) => field(one, 'name')));
      const name = firstFree('lidar', (one) => taken.has(one));
      const mount = { positionM: [0, 0, freeMountM(data)] };
      return addEdits(data, ['sensors'], { name, sensor, mount });
    }
    case 'mission':
      return whole('mission', { startM: [x - 10, y], startYawDeg: 0, goalM: [x + 10, y] });
    case 'survey':
      return whole('survey', surveyOfKind(null, 'positions'));
    case 'estimate':
      return whole('estimate', { voxelM: 0.5 });
    case 'atmosphere':
      return whole('atmosphere', { visibilityKm: 10 });
    case 'weather':
      return whole('weather', { rain: { rateMmPerH: 10 } });
    case 'wind':
      return whole('wind', { speedMPerS: 8 });
    default: {
      const name = freeKey(field(scene, 'models'), kind);
      const { shape, originM } = newParts[kind];
      const { edits } = addEdits(data, ['scene', 'models'], { ...shape, material }, name);
      const instance = {
        name: freeName(data, `${name}-a`),
        model: name,
        positionM: [x, y, originM],
        ...classOf(kind, name),
      };
      const placed = addEdits(data, ['scene', 'instances'], instance);
      return { edits: [...edits, ...placed.edits], path: placed.path };
    }
  }
}

/** A plant that comes with Understory: one of it, its model where the scene has none of that plant yet, materials. */
export function newPlant(
  data: unknown,
  plant: { id: string; generator: string; materials: readonly string[] },
  positionM: [number, number, number] = [0, 0, 0],
): Change {
  const models = field(field(data, 'scene'), 'models');
  const known = entries(models).find(([, one]) => field(one, 'plant') === plant.id)?.[0];
  const base = plant.generator === 'grass-patch' ? 'grass' : plant.generator;
  const name = known ?? freeKey(models, base);
  const model = { kind: 'plant', plant: plant.id };
  const instance = {
    name: freeName(data, `${name}-a`),
    model: name,
    positionM,
    ...(known === undefined && classOf(base, name)),
  };
  const placed = addEdits(data, ['scene', 'instances'], instance);
  const edits: DocumentEdit[] = [
    ...(known === undefined ? missingMaterials(data, plant.materials) : []),
    ...(known === undefined
      ? [{ path: ['scene', 'models', name], op: 'set' as const, value: model }]
      : []),
    ...placed.edits,
  ];
  return { edits, path: placed.path };
}

/** A mesh from a file, and one of it. */
export function newMesh(
  data: unknown,
  { file, name, unit, upAxis, material, positionM, inFile = [] }: MeshChoice,
): Change {
  const key = freeKey(field(field(data, 'scene'), 'models'), name);
  const known = namesIn(data, 'materials');
  const matched = inFile.map((one) => ({ ...one, ...materialFor(one.name, known) }));
  const materials = Object.fromEntries(matched.map((one) => [one.name, one.material]));
  const model = {
    kind: 'mesh',
    file,
    unit,
    upAxis,
    material,
    ...(matched.length > 0 && { materials }),
  };
  const instance = {
    name: freeName(data, `${key}-a`),
    model: key,
    positionM,
    ...classOf(name, key),
  };
  const placed = addEdits(data, ['scene', 'instances'], instance);
  const created = matched.filter(({ isNew }) => isNew);
  const edits: DocumentEdit[] = [
    ...created.map(({ material: own, colour }): DocumentEdit => {
      const value = { reflectance: 0.4, ...(colour !== null && { colour }) };
      return { path: ['scene', 'materials', own], op: 'set', value };
    }),
    { path: ['scene', 'models', key], op: 'set', value: model },
  ];
  return { edits: [...edits, ...placed.edits], path: placed.path };
}

/** The scene's material for a name in a mesh file: the one that is called the same, else a new one. */
export function materialFor(
  name: string,
  known: readonly string[],
): { material: string; isNew: boolean } {
  const wanted = meshName(name);
  const same = known.find((one) => one === name || meshName(one) === wanted);
  return { material: same ?? wanted, isNew: same === undefined };
}

/** A name for the mesh of a file: 'old rock (2).obj' becomes old-rock-2. */
export function meshName(file: string): string {
  const stem = (file.split(/[\\/]/).at(-1) ?? '').replace(/\.[^.]*$/, '');
  const name = stem
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+|-+$/g, '');
  return name.slice(0, 60) || 'mesh';
}

/** Sensors on a mast are that far apart. */
const mountStepM = 0.3;

/** The class follows from the model's name, unless that had to differ from what the part is. */
function classOf(base: string, name: string): { class?: string } {
  return name === base ? {} : { class: base };
}

/** Above the middle of the vehicle, the height of no other mount there. */
function freeMountM(data: unknown): number {
  const taken = items(field(data, 'sensors')).map((one) => {
    const [x = 0, y = 0, z = 2] = items(field(field(one, 'mount'), 'positionM'));
    return Math.hypot(Number(x), Number(y)) < mountStepM ? Number(z) : -Infinity;
  });
  let heightM = 2;
  while (taken.some((z) => Math.abs(z - heightM) < mountStepM - 1e-9)) heightM += mountStepM;
  return Number(heightM.toFixed(2));
}

function whole(kind: OnceKind, value: unknown): Change {
  const path = [...sceneParts[kind].place];
  return { edits: [{ path, op: 'set', value }], path };
}

/** The corners of a square of 20 m. */
function squareAbout(x: number, y: number): [number, number][] {
  return [
    [x - 10, y - 10],
    [x + 10, y - 10],
    [x + 10, y + 10],
    [x - 10, y + 10],
  ];
}

function freeKey(map: unknown, base: string): string {
  return firstFree(base, (name) => field(map, name) !== undefined);
}

function firstFree(base: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(base)) return base;
  for (let index = 2; ; index += 1) {
    if (!isTaken(`${base}-${index}`)) return `${base}-${index}`;
  }
}
