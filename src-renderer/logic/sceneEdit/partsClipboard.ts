// Parts of a scenario as a text for the clipboard, with the models, materials and motions that they need; and the edits
// that paste such a text into a scenario, under names of their own.
import type { DocumentEdit } from '#contract/host/documentMethods.ts';
import { entries, field, items } from '#contract/documents/unknownData.ts';
import { fileSeenFrom } from '#domain/shared/fileNames.ts';
import type { DocumentPath } from '#renderer/logic/forms/jsonSchema.ts';
import { documentOrigin } from '#renderer/logic/scene/documentOrigin.ts';
import { groundShapes, type PlaceM } from './groundShapes.ts';
import { isEntry } from './manyParts.ts';
import { asideM, freeKey, freeName, nameOf, takenNames } from './sceneChanges.ts';
import { valueAt } from './sceneOutline.ts';
import { partAt, partOf } from './sceneParts.ts';
import { middleOf, shapeEdits, type GroundM } from './shapeEdits.ts';
import { yamlText } from './yamlOfParts.ts';

const version = 1;
const neededKinds = ['materials', 'models', 'motions'] as const;
type NeededKind = (typeof neededKinds)[number];
type Needed = Record<NeededKind, Map<string, unknown>>;

/** Parts that were copied, and what they need. */
export interface CopiedParts {
  /** The scenario that they are from; '': unknown. */
  from: string;
  parts: { list: readonly string[]; name: string | null; value: unknown }[];
  needed: Needed;
}

/** YAML; null where none of the parts can be copied. `plantMaterials`: names of materials that a plant needs. */
export function copiedText(
  data: unknown,
  paths: readonly DocumentPath[],
  from: string,
  plantMaterials: (plant: string) => readonly string[],
): string | null {
  const copied = paths.filter(isEntry);
  if (copied.length === 0) return null;
  const parts: Record<string, unknown> = {};
  for (const path of copied) {
    const list = path.slice(0, -1).join('.');
    const [key, value] = [path.at(-1), valueAt(data, path)];
    if (typeof key === 'string')
      parts[list] = { ...(parts[list] as object | undefined), [key]: value };
    else parts[list] = [...items(parts[list]), value];
  }
  const needed = neededOf(
    data,
    copied.map((path) => valueAt(data, path)),
    plantMaterials,
  );
  const needs = Object.fromEntries(
    neededKinds
      .filter((kind) => needed[kind].size > 0)
      .map((kind) => [kind, Object.fromEntries(needed[kind])]),
  );
  return yamlText('Parts of an Understory scenario: paste them into another.', {
    understoryParts: version,
    from,
    parts,
    ...(Object.keys(needs).length > 0 && { needs }),
  });
}

/** The contents of a clipboard, read from its text as plain data; a sentence where it holds no parts. */
export function partsFrom(data: unknown): CopiedParts | string {
  const found = field(data, 'understoryParts');
  if (found === undefined) {
    return 'The clipboard holds no parts of a scenario. Copy parts in a scene first (Ctrl+C).';
  }
  if (found !== version) {
    return `The parts in the clipboard have version ${JSON.stringify(found)}; this page reads version ${version}.`;
  }
  const parts = entries(field(data, 'parts')).flatMap(([list, values]) => {
    const path = list.split('.');
    const named = entries(values).map(([name, value]) => ({ list: path, name, value }));
    const listed = items(values).map((value) => ({ list: path, name: null, value }));
    const all: CopiedParts['parts'] = [...named, ...listed];
    return all.filter(({ name, value }) => {
      const entry = partAt([...path, name ?? 0]);
      const { entries: kind } = entry === null ? {} : partOf(entry.kind);
      const isNamed = name !== null || nameOf(value) !== '';
      return isNamed && kind === (name === null ? 'list' : 'mapping') && typeof value === 'object';
    });
  });
  if (parts.length === 0) return 'The parts in the clipboard are none that a scenario can have.';
  const from = field(data, 'from');
  const needs = field(data, 'needs');
  const mapOf = (kind: NeededKind): Map<string, unknown> => new Map(entries(field(needs, kind)));
  const needed = {
    materials: mapOf('materials'),
    models: mapOf('models'),
    motions: mapOf('motions'),
  };
  return { from: typeof from === 'string' ? from : '', parts, needed };
}

/**
 * The edits that add copied parts to a scenario, at its ends. `atM`: their middle comes here, relative to the origin;
 * null: a little aside.
 */
export function pasteEdits(
  data: unknown,
  copied: CopiedParts,
  { file, atM, groundM }: { file: string; atM: PlaceM | null; groundM: GroundM },
): { edits: DocumentEdit[]; paths: DocumentPath[] } {
  const here = withFiles(copied, file);
  const { edits, names } = neededEdits(data, here.needed);
  const taken = takenNames(data);
  const keys = new Map<string, unknown>();
  const counts = new Map<string, number>();
  const paths: DocumentPath[] = [];
  const moved = movedParts(data, here.parts, atM, groundM);
  for (const { list, name, value } of moved) {
    const known = valueAt(data, list);
    const own = renamed(value, names);
    if (name !== null) {
      const others = { ...(known as object | undefined), ...Object.fromEntries(keys) };
      const key = field(others, name) === undefined ? name : freeKey(others, name);
      keys.set(key, own);
      paths.push([...list, key]);
      edits.push({ path: [...list, key], op: 'set', value: own });
      continue;
    }
    const at = counts.get(list.join('.')) ?? items(known).length;
    counts.set(list.join('.'), at + 1);
    paths.push([...list, at]);
    const called = { ...(own as object), name: freeName(data, nameOf(own), taken) };
    edits.push({ path: [...list, at], op: 'insert', value: called });
  }
  return { edits, paths };
}

/** All that the values name, and that these name in turn. */
function neededOf(
  data: unknown,
  values: readonly unknown[],
  plantMaterials: (plant: string) => readonly string[],
): Needed {
  const needed: Needed = { materials: new Map(), models: new Map(), motions: new Map() };
  const take = (kind: NeededKind, name: unknown): void => {
    const value = typeof name === 'string' ? valueAt(data, ['scene', kind, name]) : undefined;
    if (typeof name !== 'string' || value === undefined || needed[kind].has(name)) return;
    needed[kind].set(name, value);
    look(value);
  };
  const look = (value: unknown): void => {
    for (const item of items(value)) look(item);
    for (const [key, item] of entries(value)) {
      const kind = kindNamedBy(key);
      if (kind !== null) take(kind, item);
      if (key === 'materials')
        for (const [, material] of entries(item)) take('materials', material);
      if (key === 'plant' && typeof item === 'string')
        for (const material of plantMaterials(item)) take('materials', material);
      look(item);
    }
  };
  for (const value of values) look(value);
  return needed;
}

function kindNamedBy(key: string): NeededKind | null {
  if (key === 'model') return 'models';
  if (key === 'motion') return 'motions';
  return key === 'material' || key === 'barkMaterial' ? 'materials' : null;
}

type Names = Record<NeededKind, Map<string, string>>;

/** Adds what the scenario lacks; what it has under the name, but otherwise, gets another one. */
function neededEdits(data: unknown, needed: Needed): { edits: DocumentEdit[]; names: Names } {
  const names: Names = { materials: new Map(), models: new Map(), motions: new Map() };
  const edits: DocumentEdit[] = [];
  // In this order: models name materials.
  for (const kind of neededKinds) {
    const known = valueAt(data, ['scene', kind]);
    for (const [name, value] of needed[kind]) {
      const own = renamed(value, names);
      const there = field(known, name);
      if (there !== undefined && isSame(there, own)) continue;
      const called = there === undefined ? name : freeKey(known, name);
      if (called !== name) names[kind].set(name, called);
      edits.push({ path: ['scene', kind, called], op: 'set', value: own });
    }
  }
  return { edits, names };
}

/** The value with the new names of what it names. */
function renamed(value: unknown, names: Names): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    entries(value).map(([key, item]): [string, unknown] => {
      const kind = kindNamedBy(key);
      if (kind !== null && typeof item === 'string') return [key, names[kind].get(item) ?? item];
      if (key !== 'materials') return [key, renamed(item, names)];
      const inFile = entries(item).map(([name, material]) => {
        return [name, names.materials.get(String(material)) ?? material];
      });
      return [key, Object.fromEntries(inFile)];
    }),
  );
}

/** Files are named as the scenario sees them. */
function withFiles(copied: CopiedParts, file: string): CopiedParts {
  const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/');
  if (copied.from === '' || folderOf(copied.from) === folderOf(file)) return copied;
  const seen = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(seen);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      entries(value).map(([key, item]) => {
        const isFile = key === 'file' || (key === 'plant' && /[/\\]|\.ya?ml$/.test(String(item)));
        return [key, isFile ? fileSeenFrom(copied.from, String(item)) : seen(item)];
      }),
    );
  };
  const all = (map: Map<string, unknown>): Map<string, unknown> =>
    new Map([...map].map(([name, value]) => [name, seen(value)]));
  const { materials, models, motions } = copied.needed;
  return {
    ...copied,
    parts: copied.parts.map((part) => ({ ...part, value: seen(part.value) })),
    needed: { materials: all(materials), models: all(models), motions: all(motions) },
  };
}

/** The parts with all their places moved, as if they were a scenario of their own. */
function movedParts(
  data: unknown,
  parts: CopiedParts['parts'],
  atM: PlaceM | null,
  groundM: GroundM,
): CopiedParts['parts'] {
  const placed = parts.filter(({ name }) => name === null);
  const lists = Object.groupBy(placed, ({ list }) => list.at(-1) ?? '');
  const scene = Object.fromEntries(
    Object.entries(lists).map(([list, own = []]) => [list, own.map(({ value }) => value)]),
  );
  const alone = { scene: { ...scene, origin: [...documentOrigin(data)] } };
  const shapes = groundShapes(alone, () => true).filter(({ tile }) => tile === null);
  if (shapes.length === 0) return parts;
  const [x, y] = middleOf(shapes.flatMap(({ pointsM }) => [...pointsM]));
  const byM: PlaceM = atM === null ? [asideM, 0] : [atM[0] - x, atM[1] - y];
  const changed = shapes
    .flatMap((shape) => shapeEdits(alone, shape, { kind: 'move', byM }, groundM))
    .reduce<unknown>((now, { path, value }) => withValue(now, path, value), alone);
  const indices = new Map<string, number>();
  return parts.map((part) => {
    if (part.name !== null) return part;
    const list = part.list.at(-1) ?? '';
    const index = indices.get(list) ?? 0;
    indices.set(list, index + 1);
    return { ...part, value: valueAt(changed, ['scene', list, index]) };
  });
}

/** A copy with another value at a path that is there. */
function withValue(data: unknown, [key, ...rest]: DocumentPath, value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(data)) {
    return data.map((item: unknown, at) => (at === key ? withValue(item, rest, value) : item));
  }
  return { ...(data as object), [key]: withValue(field(data, String(key)), rest, value) };
}

/** Whatever the order of keys. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return one === other;
  }
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  const at = (value: object, key: string): unknown => Reflect.get(value, key);
  return keys.length === others.length && keys.every((key) => isSame(at(one, key), at(other, key)));
}
