// Adding, duplicating, renaming and deleting parts of a scenario as edits of its document, so
// that it stays valid: names stay unique, references follow, and what would break is reported before.
import type { DocumentEdit } from '#contract/host/documentMethods.ts';
import { formatPath } from '#contract/documents/problems.ts';
import { namedParts } from '#contract/documents/tiledParts.ts';
import { entries, field, items } from '#contract/documents/unknownData.ts';
import type { DocumentPath } from '#renderer/logic/forms/jsonSchema.ts';
import { valueAt } from './sceneOutline.ts';
import { partAt } from './sceneParts.ts';

export interface Change {
  edits: DocumentEdit[];
  /** The path of the changed value. */
  path: DocumentPath;
}

/**
 * A name that nothing of the scene has: `base`, or base-b, base-c …: numbers are copies of scatters. `taken`: gets it, so
 * that the next one is another.
 */
export function freeName(data: unknown, base: string, taken = takenNames(data)): string {
  const name = nameBeside(taken, base);
  taken.add(name);
  return name;
}

function nameBeside(taken: ReadonlySet<string>, base: string): string {
  if (!taken.has(base)) return base;
  const stem = base.replace(/-[a-z]$/, '');
  for (let index = 1; ; index += 1) {
    const name = `${stem}-${lettersOf(index)}`;
    if (!taken.has(name)) return name;
  }
}

/** Adds to a list (instances, scatters, walls, sensors) or a mapping (models, materials) of the document. */
export function addEdits(data: unknown, list: DocumentPath, value: unknown, name?: string): Change {
  if (name !== undefined) {
    const path = [...list, name];
    return { edits: [{ path, op: 'set', value }], path };
  }
  const path = [...list, items(valueAt(data, list)).length];
  return { edits: [{ path, op: 'insert', value }], path };
}

/** A copy behind the original, with a name of its own, a little aside; circles that keep clear of it too. */
export function duplicateEdits(
  data: unknown,
  path: DocumentPath,
  taken = takenNames(data),
): Change | null {
  const value = valueAt(data, path);
  const key = path.at(-1);
  const list = path.slice(0, -1);
  if (typeof value !== 'object' || value === null || key === undefined) return null;
  if (typeof key === 'string') {
    if (partAt(path)?.path.length !== 3) return null;
    const name = freeKey(valueAt(data, list), key);
    return { edits: [{ path: [...list, name], op: 'set', value }], path: [...list, name] };
  }
  const kind = partAt(path)?.kind;
  const named =
    kind === 'sensor'
      ? freeSensorName(data, nameOf(value), taken)
      : freeName(data, nameOf(value), taken);
  const copy: Record<string, unknown> = { ...value, name: named };
  const at = isMoving(data, path) ? null : pointOf(field(value, 'positionM'));
  if (kind === 'instance') {
    copy['positionM'] = shifted(field(value, 'positionM'), asideM, 0);
  }
  if (kind === 'wall') {
    copy['fromM'] = shifted(field(value, 'fromM'), 0, asideM);
    copy['toM'] = shifted(field(value, 'toM'), 0, asideM);
  }
  const behind = [...list, key + 1];
  const circles = kind === 'instance' && at !== null ? circlesAt(data, at) : [];
  const edits: DocumentEdit[] = [{ path: behind, op: 'insert', value: copy }];
  for (const { scatter, index, circle } of circles) {
    const centreM = shifted(field(circle, 'centreM'), asideM, 0);
    const path = ['scene', 'scatters', scatter, 'keepClear', index + 1];
    edits.push({ path, op: 'insert', value: { ...(circle as object), centreM } });
  }
  return { edits: inSafeOrder(edits), path: behind };
}

/**
 * Removes a part. `breaks`: what refers to it, and would be wrong without it; `withUsers`: the edits that remove those
 * as well (none where that is no help). Circles that keep clear of an object's place go with it.
 */
export function deleteEdits(
  data: unknown,
  path: DocumentPath,
): { edits: DocumentEdit[]; breaks: string[]; withUsers: DocumentEdit[] | null } {
  const part = partAt(path);
  const own: DocumentEdit[] = [{ path: [...path], op: 'remove' }];
  const key = path.at(-1);
  if (part?.kind === 'material' && typeof key === 'string') {
    const users = materialUsers(data, key);
    return { edits: own, breaks: users.map(formatPath), withUsers: null };
  }
  if (part?.kind === 'model' && typeof key === 'string') {
    const users = modelUsers(data, key);
    const removed = users.map((user): DocumentEdit => ({ path: user, op: 'remove' }));
    return {
      edits: own,
      breaks: users.map((user) => nameOf(valueAt(data, user)) || formatPath(user)),
      withUsers: users.length === 0 ? null : inSafeOrder([...own, ...removed]),
    };
  }
  if (part?.kind === 'motion' && typeof key === 'string') {
    const users = motionUsers(data, key);
    const stopped = users.map((user): DocumentEdit => ({ path: user, op: 'remove' }));
    return {
      edits: own,
      breaks: users.map((user) => nameOf(valueAt(data, user.slice(0, -1))) || formatPath(user)),
      withUsers: users.length === 0 ? null : [...stopped, ...own],
    };
  }
  const isPlaced = part?.kind === 'instance' && !isMoving(data, path);
  const at = isPlaced ? pointOf(field(valueAt(data, path), 'positionM')) : null;
  const isShared = at !== null && othersAt(data, at, path);
  const circles = at === null || isShared ? [] : circlesAt(data, at);
  const gone = circles.map(({ scatter, index }): DocumentEdit => {
    return { path: ['scene', 'scatters', scatter, 'keepClear', index], op: 'remove' };
  });
  return { edits: inSafeOrder([...own, ...gone]), breaks: [], withUsers: null };
}

/** Another name, wherever the old one is used. */
export function renameEdits(data: unknown, path: DocumentPath, name: string): Change {
  const key = path.at(-1);
  const kind = partAt(path)?.kind;
  const usersOf = {
    material: materialUsers,
    motion: motionUsers,
    model: (of: unknown, model: string) => modelUsers(of, model).map((user) => [...user, 'model']),
  };
  if (typeof key !== 'string' || (kind !== 'material' && kind !== 'model' && kind !== 'motion')) {
    return { edits: [{ path: [...path, 'name'], op: 'set', value: name }], path };
  }
  const users = usersOf[kind](data, key);
  const references = users.map((user): DocumentEdit => ({ path: user, op: 'set', value: name }));
  const renamed: DocumentEdit = { path: [...path], op: 'rename', value: name };
  return { edits: [...references, renamed], path: [...path.slice(0, -1), name] };
}

/** The edits, and where they move an object, those that take the circles along that keep clear of its very place. */
export function withCircles(data: unknown, edits: readonly DocumentEdit[]): DocumentEdit[] {
  return edits.flatMap((edit) => {
    const { path, op, value } = edit;
    const isPlace = path.length === 4 && path[1] === 'instances' && path[3] === 'positionM';
    const [before, after] = [pointOf(valueAt(data, path)), pointOf(value)];
    if (!isPlace || op !== 'set' || before === null || after === null) return [edit];
    const hasMoved = before[0] !== after[0] || before[1] !== after[1];
    const object = path.slice(0, 3);
    if (isMoving(data, object) || edits.some((one) => isMotionOf(object, one))) return [edit];
    if (!hasMoved || othersAt(data, before, object)) return [edit];
    const circles = circlesAt(data, before).map(({ scatter, index }): DocumentEdit => {
      const at = ['scene', 'scatters', scatter, 'keepClear', index, 'centreM'];
      return { path: at, op: 'set', value: [...after] };
    });
    return [edit, ...circles];
  });
}

/** Models or materials of the scene, by name. */
export function namesIn(data: unknown, map: 'models' | 'materials' | 'motions'): string[] {
  return entries(field(field(data, 'scene'), map)).map(([name]) => name);
}

/** Materials that a plant needs and the scene lacks, as edits; colours and reflectances are usual ones. */
export function missingMaterials(data: unknown, names: readonly string[]): DocumentEdit[] {
  const known = new Set(namesIn(data, 'materials'));
  return names
    .filter((name) => !known.has(name))
    .map((name) => ({
      path: ['scene', 'materials', name],
      op: 'set',
      value: usualMaterials[name] ?? { reflectance: 0.4, colour: '#9a9a9a' },
    }));
}

/** Copies are so far from what they are copies of. */
export const asideM = 2;

const usualMaterials: Record<string, { reflectance: number; colour: string }> = {
  grass: { reflectance: 0.45, colour: '#6f9a3c' },
  leaf: { reflectance: 0.5, colour: '#3f7a2e' },
  bark: { reflectance: 0.3, colour: '#6b5138' },
};

/** Every path in the document where a material is named. */
function materialUsers(data: unknown, name: string): (string | number)[][] {
  const scene = field(data, 'scene');
  const found: (string | number)[][] = [];
  const look = (value: unknown, path: (string | number)[]): void => {
    if (value === name) found.push(path);
  };
  for (const [model, value] of entries(field(scene, 'models'))) {
    const at = ['scene', 'models', model];
    look(field(value, 'material'), [...at, 'material']);
    for (const [inFile, material] of entries(field(value, 'materials'))) {
      look(material, [...at, 'materials', inFile]);
    }
  }
  look(field(field(scene, 'ground'), 'material'), ['scene', 'ground', 'material']);
  for (const [index, wall] of items(field(scene, 'walls')).entries()) {
    look(field(wall, 'material'), ['scene', 'walls', index, 'material']);
  }
  for (const [index, part] of items(field(field(data, 'vehicle'), 'body')).entries()) {
    look(field(part, 'material'), ['vehicle', 'body', index, 'material']);
  }
  return found;
}

/** Every path in the document where a motion is named. */
function motionUsers(data: unknown, name: string): (string | number)[][] {
  const scene = field(data, 'scene');
  const moved = items(field(scene, 'instances')).flatMap((placed, index) =>
    field(placed, 'motion') === name ? [['scene', 'instances', index, 'motion']] : [],
  );
  return [...moved, ...dustUsers(scene, name)];
}

/** Every path in the document where a motion is named that raises dust. */
export function dustUsers(scene: unknown, name: string): (string | number)[][] {
  const dust = field(field(scene, 'weather'), 'wheelDust');
  return items(field(dust, 'motions')).flatMap((motion, index) =>
    motion === name ? [['scene', 'weather', 'wheelDust', 'motions', index]] : [],
  );
}

function modelUsers(data: unknown, name: string): (string | number)[][] {
  const lists = [
    ['scene', 'instances'],
    ['scene', 'scatters'],
    ['vehicle', 'body'],
  ];
  return lists.flatMap((list) =>
    items(valueAt(data, list)).flatMap((placed, index) =>
      field(placed, 'model') === name ? [[...list, index]] : [],
    ),
  );
}

/** An object that moves keeps no place clear, and may be placed in the frame of its motion. */
function isMoving(data: unknown, path: DocumentPath): boolean {
  return field(valueAt(data, path), 'motion') !== undefined;
}

function isMotionOf(object: DocumentPath, { path }: DocumentEdit): boolean {
  return path.length === 4 && path[3] === 'motion' && object.every((key, at) => path[at] === key);
}

/** Circles of scatters whose centre is exactly there. */
function circlesAt(
  data: unknown,
  [x, y]: readonly [number, number],
): { scatter: number; index: number; circle: unknown }[] {
  return items(field(field(data, 'scene'), 'scatters')).flatMap((scatter, at) =>
    items(field(scatter, 'keepClear')).flatMap((circle, index) => {
      const centre = pointOf(field(circle, 'centreM'));
      return centre?.[0] === x && centre[1] === y ? [{ scatter: at, index, circle }] : [];
    }),
  );
}

/** Whether another object is at the same place, or the mission starts or ends there. */
function othersAt(data: unknown, [x, y]: readonly [number, number], path: DocumentPath): boolean {
  const isThere = (value: unknown): boolean => {
    const point = pointOf(value);
    return point?.[0] === x && point[1] === y;
  };
  const mission = field(data, 'mission');
  if (isThere(field(mission, 'startM')) || isThere(field(mission, 'goalM'))) return true;
  return items(field(field(data, 'scene'), 'instances')).some(
    (instance, index) => index !== path.at(-1) && isThere(field(instance, 'positionM')),
  );
}

/** Later items of a list are changed first, so that every path is still right when it is used. */
export function inSafeOrder(edits: DocumentEdit[]): DocumentEdit[] {
  return edits.toSorted((one, other) => {
    const depth = one.path.findIndex((key, at) => key !== other.path[at]);
    const [left, right] = [one.path[depth], other.path[depth]];
    if (typeof left === 'number' && typeof right === 'number') return right - left;
    return String(left).localeCompare(String(right));
  });
}

/** Names of everything that is placed in a scene. */
export function takenNames(data: unknown): Set<string> {
  const scene = field(data, 'scene');
  const names = namedParts.flatMap((kind) => items(field(scene, kind)).map(nameOf));
  return new Set(['ground', ...names]);
}

/** base-2, base-3 …: the first that is no key of the mapping. */
export function freeKey(map: unknown, base: string): string {
  const taken = new Set(entries(map).map(([name]) => name));
  for (let index = 2; ; index += 1) {
    const name = `${base}-${index}`;
    if (!taken.has(name)) return name;
  }
}

function freeSensorName(data: unknown, base: string, others: Set<string>): string {
  const taken = new Set(items(field(data, 'sensors')).map(nameOf)).union(others);
  for (let index = 2; ; index += 1) {
    const name = `${base.replace(/-\d+$/, '')}-${index}`;
    if (taken.has(name)) continue;
    others.add(name);
    return name;
  }
}

/** b, c, … z, ba …: 'oak-2' would be the second copy of a scatter called oak. */
function lettersOf(index: number): string {
  const letter = String.fromCharCode(97 + (index % 26));
  return index < 26 ? letter : lettersOf(Math.floor(index / 26) - 1) + letter;
}

/** '' where it has none. */
export function nameOf(value: unknown): string {
  const name = field(value, 'name');
  return typeof name === 'string' ? name : '';
}

function pointOf(value: unknown): readonly [number, number] | null {
  const [x, y] = items(value);
  return typeof x === 'number' && typeof y === 'number' ? [x, y] : null;
}

function shifted(value: unknown, dx: number, dy: number): unknown {
  const [x, y, ...rest] = items(value);
  if (typeof x !== 'number' || typeof y !== 'number') return value;
  return [tidy(x + dx), tidy(y + dy), ...rest];
}

/** To a tenth of a millimetre. */
function tidy(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
