// A learned model in a scenario: as edits of one that is open, or as a new one that a vehicle can drive through.
import type { DocumentEdit } from '#contract/host/documentMethods.ts';
import { entries, field, items } from '#contract/documents/unknownData.ts';
import { isSameSystem, systemName } from '#domain/shared/coordinateSystem.ts';
import { namesIn, type Change } from '#renderer/logic/sceneEdit/sceneChanges.ts';

type PlaceM = readonly [number, number, number];

/**
 * Places a model where its log was: positions of the file are world coordinates. `file`: as the scenario names it. What is
 * in the scene already is not added again: null.
 */
export function addModelEdits(data: unknown, file: string, name: string): Change | null {
  if (isInScene(data, file)) return null;
  const scene = field(data, 'scene');
  const known = modelOf(data, file);
  const key = known ?? freeKey((one) => field(field(scene, 'models'), one) !== undefined, name);
  const [material] = namesIn(data, 'materials');
  const taken = new Set(
    ['instances', 'scatters', 'walls'].flatMap((list) =>
      items(field(scene, list)).map((one) => field(one, 'name')),
    ),
  );
  const instance = {
    name: freeKey((one) => taken.has(one), key),
    model: key,
    positionM: [0, 0, 0],
    // Why: heights of the model are those of the world, whatever ground the scene has.
    onGround: false,
  };
  const path = ['scene', 'instances', items(field(scene, 'instances')).length];
  const edits: DocumentEdit[] = [];
  if (material === undefined) {
    const value = { reflectance: 0.25, colour: '#6e5a41' };
    edits.push({ path: ['scene', 'materials', 'soil'], op: 'set', value });
  }
  if (known === null) {
    const value = { kind: 'learned', file, material: material ?? 'soil' };
    edits.push({ path: ['scene', 'models', key], op: 'set', value });
  }
  edits.push({ path, op: 'insert', value: instance });
  return { edits, path };
}

/** Why a model cannot be placed where its log was; null: it can. `crs` of the model, null: not known. */
export function otherSystem(data: unknown, crs: string | null): string | null {
  const ofScene = field(field(data, 'scene'), 'crs');
  if (crs === null || typeof ofScene !== 'string' || isSameSystem(ofScene, crs)) return null;
  return `The model is in ${systemName(crs)}, the scene in ${systemName(ofScene)}`;
}

/** Whether an instance places the model of this file. */
export function isInScene(data: unknown, file: string): boolean {
  const model = modelOf(data, file);
  if (model === null) return false;
  return items(field(field(data, 'scene'), 'instances')).some(
    (one) => field(one, 'model') === model,
  );
}

function modelOf(data: unknown, file: string): string | null {
  const models = entries(field(field(data, 'scene'), 'models'));
  const found = models.find(
    ([, model]) => field(model, 'kind') === 'learned' && field(model, 'file') === file,
  );
  return found?.[0] ?? null;
}

export interface NewScene {
  title: string;
  /** File of the model, as the scenario names it. */
  file: string;
  /** Coordinate reference system of the scene; null: not stated. */
  crs: string | null;
  /** World position near the site. */
  originM: PlaceM;
  /** Height of the ground at the start, in the world. */
  groundM: number;
  /** Where the sensor of the log was at first and at last, in the world. */
  firstM: PlaceM;
  lastM: PlaceM;
  /** Edge of the ground. */
  groundSizeM: number;
}

/** The text of a scenario with the model, a level ground and a drive along the log. */
export function newSceneText(scene: NewScene): string {
  const { title, file, crs, originM, groundM, firstM, lastM, groundSizeM } = scene;
  const [x, y] = originM.map((value) => Math.round(value)) as [number, number, number];
  const isFar = Math.hypot(x, y) > 1000;
  const groundAt = Math.abs(groundM) < 0.1 ? 0 : Number(groundM.toFixed(2));
  const origin: PlaceM = [isFar ? x : 0, isFar ? y : 0, groundAt];
  const isAtZero = origin.every((value) => value === 0);
  const ground = [
    `sizeM: [${groundSizeM}, ${groundSizeM}]`,
    ...(x === 0 && y === 0 ? [] : [`centreM: [${x}, ${y}]`]),
    ...(groundAt === 0 ? [] : [`zM: ${groundAt}`]),
  ].join(', ');
  const [startM, goalM] = missionOf(firstM, lastM);
  const yawDeg = (Math.atan2(goalM[1] - startM[1], goalM[0] - startM[0]) * 180) / Math.PI;
  return [
    'understory: 2',
    `name: ${JSON.stringify(title)}`,
    'scene:',
    ...(isAtZero ? [] : [`  origin: [${origin.join(', ')}]`]),
    ...(crs === null ? [] : [`  crs: ${JSON.stringify(crs)}`]),
    "  materials: { soil: { reflectance: 0.25, colour: '#6e5a41' } }",
    '  models:',
    `    site: { kind: learned, file: ${JSON.stringify(file)}, material: soil }`,
    `  ground: { kind: plane, ${ground}, material: soil }`,
    '  instances: [{ name: site, model: site, positionM: [0, 0, 0], onGround: false }]',
    'sensors: [{ name: lidar, sensor: vlp-16, mount: { positionM: [0, 0, 2] } }]',
    'mission:',
    `  startM: [${startM.map(short).join(', ')}]`,
    `  startYawDeg: ${short(yawDeg)}`,
    `  goalM: [${goalM.map(short).join(', ')}]`,
    '',
  ].join('\n');
}

/** Shorter drives arrive at once. */
const minDriveM = 6;

/** From the first place to the last; where these are the same place, ahead. */
function missionOf(firstM: PlaceM, lastM: PlaceM): [[number, number], [number, number]] {
  const lengthM = Math.hypot(lastM[0] - firstM[0], lastM[1] - firstM[1]);
  const start: [number, number] = [firstM[0], firstM[1]];
  if (lengthM >= minDriveM) return [start, [lastM[0], lastM[1]]];
  const ahead = lengthM < 0.1 ? [1, 0] : [lastM[0] - firstM[0], lastM[1] - firstM[1]];
  const scale = minDriveM / Math.hypot(ahead[0] ?? 1, ahead[1] ?? 0);
  return [start, [start[0] + scale * (ahead[0] ?? 1), start[1] + scale * (ahead[1] ?? 0)]];
}

/**
 * The height below a place: the lowest returns near it, but for one in ten; null: there are none. Why 12 m: a sensor 2 m
 * above the ground that looks down by 15° meets it from 7.5 m on, and nearer than that its vehicle.
 */
export function groundBelow(positionsM: Float32Array, [x, y]: PlaceM, withinM = 12): number | null {
  const heights: number[] = [];
  for (let at = 0; at + 2 < positionsM.length; at += 3) {
    const aside = Math.hypot((positionsM[at] ?? 0) - x, (positionsM[at + 1] ?? 0) - y);
    if (aside < withinM) heights.push(positionsM[at + 2] ?? 0);
  }
  heights.sort((a, b) => a - b);
  return heights[Math.floor(0.1 * heights.length)] ?? null;
}

function freeKey(isTaken: (name: string) => boolean, base: string): string {
  if (!isTaken(base)) return base;
  for (let number = 2; ; number += 1) {
    if (!isTaken(`${base}-${number}`)) return `${base}-${number}`;
  }
}

function short(value: number): string {
  return String(Number(value.toFixed(2)));
}
