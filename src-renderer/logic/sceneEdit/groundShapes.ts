// The places that a scenario has on the ground, as shapes, by the table of shapedParts.ts; what draws or edits shapes takes
// them from here. Anything but numbers is left out.
import { formatPath } from '#contract/documents/problems.ts';
import { entries, field, items } from '#contract/documents/unknownData.ts';
import { placeToScene, type OriginM } from '#contract/worldOrigin.ts';
import { radians } from '#domain/shared/numbers.ts';
import type { DocumentPath } from '#renderer/logic/forms/jsonSchema.ts';
import { documentOrigin } from '#renderer/logic/scene/documentOrigin.ts';
import { costMapSquare, firstTile, type Square } from './derivedSquares.ts';
import { valueAt } from './sceneOutline.ts';
import { partAt } from './sceneParts.ts';
import { shapedParts, type ShapedPart, type ShapeLayout, type ShapeTone } from './shapedParts.ts';

export type PlaceM = readonly [number, number];

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
  /**
   * Where it can be dragged, relative to the origin. circle: centre and a place of its edge; heading: its two ends; side: a
   * place of the east edge.
   */
  pointsM: readonly PlaceM[];
  isWorldHeight: boolean;
  isDrawnOtherwise: boolean;
  /** In which its places are, and with which they move; relative to the origin. */
  tile: Square | null;
}

/** Shapes of the parts that are asked for. `isInOverview`: shapes like it are shown together. */
export function groundShapes(
  data: unknown,
  isAsked: (part: DocumentPath, isInOverview: boolean) => boolean,
): GroundShape[] {
  const originM = documentOrigin(data);
  return shapedParts.flatMap((row) =>
    (row.isImplied === true ? [row.at] : pathsOf(data, row.at)).flatMap((path) => {
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
  const square = squareOf(row, data, path);
  const [tileX, tileY] = row.isInTile === true && square !== null ? square.cornerM : [0, 0];
  const inScene = ([x, y]: PlaceM): PlaceM => placeToScene(originM, [tileX + x, tileY + y]);
  const pointsM = pointsOf(row.layout, value, owner, square)?.map(inScene);
  if (row.isInTile === true && square === null) return null;
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
    tile:
      row.isInTile === true && square !== null
        ? { cornerM: inScene([0, 0]), sideM: square.sideM }
        : null,
  };
}

/** The cost map, or the tile that the places are in. */
function squareOf({ layout, isInTile }: ShapedPart, data: unknown, path: DocumentPath) {
  if (layout.kind === 'cells') return costMapSquare(data);
  return isInTile === true ? firstTile(data, path) : null;
}

/** World places; null where one of them is none. */
function pointsOf(
  layout: ShapeLayout,
  value: unknown,
  owner: unknown,
  square: Square | null,
): PlaceM[] | null {
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
    case 'cells':
      return square === null ? null : squareCorners(square);
    case 'side':
      return square === null ? null : [edgeOf({ ...square, cornerM: [0, 0] })];
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

export function squareCorners({ cornerM: [x, y], sideM }: Square): PlaceM[] {
  return rectangle([x, y], [x + sideM, y + sideM]);
}

/** Where the side of a tile is dragged; neither at a corner nor where an area of the tile gets another one. */
export function edgeOf({ cornerM: [x, y], sideM }: Square): PlaceM {
  return [x + sideM, y + sideM / 4];
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
  if (typeof own === 'string' && row.isInTile !== true) return own;
  // Why: scene, landscapes, its index, a list of its tiles, an index there.
  const owner = row.isInTile === true ? path.slice(0, 5) : part;
  const name = field(valueAt(data, owner), 'name');
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
