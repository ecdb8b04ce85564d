// The parts of a scenario that have a place on the ground, as shapes: areas, exclusion zones, walls, routes, positions.
// The table says where each is in the document and how its points are written; what draws or edits shapes takes them
// from here. Anything but numbers is left out.
import { formatPath } from '#contract/documents/problems.ts';
import { entries, field, items } from '#contract/documents/unknownData.ts';
import { placeToScene, type OriginM } from '#contract/worldOrigin.ts';
import { radians } from '#domain/shared/numbers.ts';
import type { DocumentPath } from '#renderer/logic/forms/jsonSchema.ts';
import { documentOrigin } from '#renderer/logic/scene/documentOrigin.ts';
import { valueAt } from './sceneOutline.ts';
import { partAt } from './sceneParts.ts';

export type PlaceM = readonly [number, number];

/**
 * How the points of a shape are written at its path. list: one by one, or each in an item by a key. fields: by these
 * keys. place: the value itself. circle: centreM and radiusM. corners: two opposite ones. extent: centreM and sizeM.
 * heading: a place, and beside it an angle by this key.
 */
export type ShapeLayout =
  | { kind: 'list'; key?: string; minPoints: number; canAdd: boolean }
  | { kind: 'fields'; keys: readonly string[] }
  | { kind: 'heading'; key: string }
  | { kind: 'place' | 'circle' | 'corners' | 'extent' };

/** 'clear': without instances. */
export type ShapeTone = 'area' | 'clear' | 'route';

interface ShapedPart {
  /** Path in the document; '*': each entry. */
  at: readonly string[];
  layout: ShapeLayout;
  tone: ShapeTone;
  /** Line between its points. */
  line: 'closed' | 'open' | 'none';
  /** The name of its part is in the view already. */
  isNamedOtherwise?: boolean;
  /** Behind the name of its part; left out: the name alone. */
  word?: string;
  /** Each point has a name: that of its item or these. */
  pointNames?: 'items' | readonly string[];
  /** Heights in the value are heights in the world; otherwise above the ground. */
  isWorldHeight?: (data: unknown, path: DocumentPath) => boolean;
  /** Drawn by what it is, not as a shape; only moved as one. */
  isDrawnOtherwise?: boolean;
  /** Shown with all others, though its part is not selected. */
  isInOverview?: boolean;
  isClosedBy?: string;
  isLeftOut?: (value: unknown) => boolean;
}

const polygon = { kind: 'list', minPoints: 3, canAdd: true } as const;
const route = { kind: 'list', minPoints: 2, canAdd: true } as const;
const inWorld = (): boolean => true;

function areas(list: string): ShapedPart[] {
  const at = ['scene', list, '*'];
  const area = { layout: polygon, tone: 'area', line: 'closed', isInOverview: true } as const;
  const zone = { layout: { kind: 'circle' }, tone: 'clear', line: 'closed' } as const;
  return [
    { at: [...at, 'areaM'], ...area, word: 'area' },
    { at: [...at, 'keepClear', '*'], ...zone, isInOverview: true, word: 'exclusion zone' },
  ];
}

/** A part with a place that is to be drawn and dragged is an entry here. */
const shapedParts: readonly ShapedPart[] = [
  ...['scatters', 'stands', 'landscapes'].flatMap(areas),
  {
    at: ['scene', 'stands', '*', 'trees'],
    layout: { kind: 'list', key: 'positionM', minPoints: 1, canAdd: false },
    tone: 'area',
    line: 'none',
  },
  {
    at: ['scene', 'walls', '*'],
    layout: { kind: 'fields', keys: ['fromM', 'toM'] },
    tone: 'route',
    line: 'open',
    isNamedOtherwise: true,
  },
  {
    at: ['scene', 'instances', '*', 'positionM'],
    layout: { kind: 'place' },
    tone: 'route',
    line: 'none',
    isDrawnOtherwise: true,
    isWorldHeight: (data, path) => field(valueAt(data, path.slice(0, -1)), 'onGround') === false,
    // Why: it is placed in the frame of its motion.
    isLeftOut: (instance) => field(instance, 'motion') !== undefined,
  },
  {
    at: ['scene', 'ground'],
    layout: { kind: 'extent' },
    tone: 'area',
    line: 'closed',
    word: 'extent',
  },
  {
    at: ['scene', 'ground', 'roads', '*', 'pointsM'],
    layout: route,
    tone: 'route',
    line: 'open',
    word: 'road',
    isInOverview: true,
  },
  {
    at: ['scene', 'motions', '*', 'pointsM'],
    layout: route,
    tone: 'route',
    line: 'open',
    isClosedBy: 'closed',
    isWorldHeight: inWorld,
    isInOverview: true,
  },
  {
    at: ['scene', 'motions', '*', 'keyframes'],
    layout: { kind: 'list', key: 'positionM', minPoints: 1, canAdd: false },
    tone: 'route',
    line: 'none',
    isWorldHeight: inWorld,
  },
  {
    at: ['scene', 'motions', '*', 'pivotM'],
    layout: { kind: 'place' },
    tone: 'route',
    line: 'none',
    word: 'pivot',
    isWorldHeight: inWorld,
  },
  {
    at: ['mission'],
    layout: { kind: 'fields', keys: ['startM', 'goalM'] },
    tone: 'route',
    line: 'open',
    pointNames: ['start', 'goal'],
    isInOverview: true,
  },
  {
    at: ['mission', 'startM'],
    layout: { kind: 'heading', key: 'startYawDeg' },
    tone: 'route',
    line: 'open',
    isNamedOtherwise: true,
    word: 'heading',
  },
  {
    at: ['survey', 'strips', '*'],
    layout: { kind: 'fields', keys: ['fromM', 'toM'] },
    tone: 'route',
    line: 'open',
    word: 'strip',
    isInOverview: true,
  },
  {
    at: ['survey', 'areaM'],
    layout: { kind: 'corners' },
    tone: 'area',
    line: 'closed',
    word: 'area',
    isInOverview: true,
  },
  {
    at: ['survey', 'positions'],
    layout: { kind: 'list', key: 'positionM', minPoints: 1, canAdd: true },
    tone: 'route',
    line: 'open',
    pointNames: 'items',
    isWorldHeight: (data) => field(field(data, 'survey'), 'above') === 'zero',
    isInOverview: true,
  },
];

/** Length of the line that shows a heading. */
const headingM = 4;

/** Trees and the like: so many handles are no help. */
const maxPoints = 400;

export interface GroundShape {
  /** Its path as problems write it. */
  key: string;
  path: DocumentPath;
  /** Path of the part that has it. */
  part: DocumentPath;
  layout: ShapeLayout;
  tone: ShapeTone;
  line: 'closed' | 'open' | 'none';
  label: string;
  /** Names in the view, from the first point on. */
  pointNames: readonly string[];
  /** Where it can be dragged, relative to the origin. circle: centre and a place of its edge; heading: its two ends. */
  pointsM: readonly PlaceM[];
  isWorldHeight: boolean;
  isDrawnOtherwise: boolean;
}

/** Shapes of the parts that are asked for. `isInOverview`: shapes like it are shown together. */
export function groundShapes(
  data: unknown,
  isAsked: (part: DocumentPath, isInOverview: boolean) => boolean,
): GroundShape[] {
  const originM = documentOrigin(data);
  return shapedParts.flatMap((row) =>
    pathsOf(data, row.at).flatMap((path) => {
      const part = partAt(path)?.path;
      if (part === undefined || !isAsked(part, row.isInOverview === true)) return [];
      if (row.isLeftOut?.(valueAt(data, part)) === true) return [];
      const shape = shapeOf(row, data, path, part, originM);
      return shape === null ? [] : [shape];
    }),
  );
}

function shapeOf(
  row: ShapedPart,
  data: unknown,
  path: DocumentPath,
  part: DocumentPath,
  originM: OriginM,
): GroundShape | null {
  const value = valueAt(data, path);
  const owner = valueAt(data, path.slice(0, -1));
  const pointsM = pointsOf(row.layout, value, owner)?.map((place) => placeToScene(originM, place));
  const { minPoints = 1 } = row.layout.kind === 'list' ? row.layout : {};
  if (pointsM === undefined || pointsM.length < minPoints || pointsM.length > maxPoints)
    return null;
  const closedBy = row.isClosedBy === undefined ? null : field(owner, row.isClosedBy);
  const label = labelOf(row, data, path, part);
  return {
    key: formatPath(path),
    path,
    part,
    layout: row.layout,
    tone: row.tone,
    line: closedBy === true ? 'closed' : row.line,
    label,
    pointNames: namesOf(row, value, label),
    pointsM,
    isWorldHeight: row.isWorldHeight?.(data, path) === true,
    isDrawnOtherwise: row.isDrawnOtherwise === true,
  };
}

/** World places; null where one of them is none. */
function pointsOf(layout: ShapeLayout, value: unknown, owner: unknown): PlaceM[] | null {
  switch (layout.kind) {
    case 'list': {
      const { key } = layout;
      return allPlaces(items(value).map((item) => (key === undefined ? item : field(item, key))));
    }
    case 'fields':
      return allPlaces(layout.keys.map((key) => field(value, key)));
    case 'place':
      return allPlaces([value]);
    case 'circle': {
      const centreM = placeOf(field(value, 'centreM'));
      const radiusM = field(value, 'radiusM');
      if (centreM === null || typeof radiusM !== 'number' || !(radiusM > 0)) return null;
      return [centreM, [centreM[0] + radiusM, centreM[1]]];
    }
    case 'heading': {
      const atM = placeOf(value);
      const yawDeg = field(owner, layout.key) ?? 0;
      if (atM === null || typeof yawDeg !== 'number') return null;
      const yawRad = radians(yawDeg);
      return [atM, [atM[0] + headingM * Math.cos(yawRad), atM[1] + headingM * Math.sin(yawRad)]];
    }
    case 'corners': {
      const corners = allPlaces(items(value));
      const [from, to] = corners ?? [];
      return from === undefined || to === undefined ? null : rectangle(from, to);
    }
    case 'extent': {
      const sizeM = placeOf(field(value, 'sizeM'));
      const centreM = placeOf(field(value, 'centreM')) ?? [0, 0];
      if (sizeM === null) return null;
      const [halfX, halfY] = [sizeM[0] / 2, sizeM[1] / 2];
      const [x, y] = centreM;
      return rectangle([x - halfX, y - halfY], [x + halfX, y + halfY]);
    }
  }
}

/** From a corner along x first, round to the corner before it. */
export function rectangle([ax, ay]: PlaceM, [bx, by]: PlaceM): PlaceM[] {
  return [
    [ax, ay],
    [bx, ay],
    [bx, by],
    [ax, by],
  ];
}

function allPlaces(values: readonly unknown[]): PlaceM[] | null {
  const places = values.map(placeOf);
  return places.every((place) => place !== null) ? places : null;
}

export function placeOf(value: unknown): PlaceM | null {
  const [x, y] = items(value);
  const isPlace = [x, y].every((one) => typeof one === 'number' && Number.isFinite(one));
  return isPlace ? [x as number, y as number] : null;
}

function labelOf(row: ShapedPart, data: unknown, path: DocumentPath, part: DocumentPath): string {
  const own = field(valueAt(data, path), 'name');
  if (typeof own === 'string') return own;
  const name = field(valueAt(data, part), 'name');
  const called = typeof name === 'string' ? name : String(part.at(-1));
  const radiusM = row.layout.kind === 'circle' ? field(valueAt(data, path), 'radiusM') : null;
  const size = typeof radiusM === 'number' ? `, ${radiusM} m` : '';
  return row.word === undefined ? called : `${called}: ${row.word}${size}`;
}

function namesOf(row: ShapedPart, value: unknown, label: string): readonly string[] {
  if (row.isNamedOtherwise === true) return [];
  if (row.pointNames !== 'items') return row.pointNames ?? [label];
  return items(value).map((item, index) => {
    const name = field(item, 'name');
    return typeof name === 'string' ? name : `position-${index + 1}`;
  });
}

/** Paths of the document that fit a path with '*'. */
function pathsOf(data: unknown, pattern: readonly string[]): DocumentPath[] {
  let found: { path: (string | number)[]; value: unknown }[] = [{ path: [], value: data }];
  for (const key of pattern) {
    found = found.flatMap(({ path, value }) => {
      const inner: [string | number, unknown][] = Array.isArray(value)
        ? items(value).map((item, index) => [index, item])
        : entries(value);
      const chosen = key === '*' ? inner : inner.filter(([name]) => name === key);
      return chosen.map(([name, item]) => ({ path: [...path, name], value: item }));
    });
  }
  return found.map(({ path }) => path);
}
