// Changes of shapes on the ground: what a drag makes of the points of a shape, and the edits of the document that write
// it. Places are written in whole centimetres; heights above the ground stay.
import type { DocumentEdit } from '#contract/host/documentMethods.ts';
import { costMapCells } from '#contract/documents/scenario.ts';
import { items } from '#contract/documents/unknownData.ts';
import { placeToWorld } from '#contract/worldOrigin.ts';
import { clamp, degrees } from '#domain/shared/numbers.ts';
import { documentOrigin } from '#renderer/logic/scene/documentOrigin.ts';
import { costMapSquare, type Square } from './derivedSquares.ts';
import { edgeOf, rectangle, squareCorners, type GroundShape, type PlaceM } from './groundShapes.ts';
import { rounded } from './gizmoEdits.ts';
import { valueAt } from './sceneOutline.ts';

/** A change of a shape. Places are relative to the origin. */
export type ShapeChange =
  | { kind: 'point'; index: number; toM: PlaceM }
  /** A new point before that of the index, or behind the last one. */
  | { kind: 'insert'; index: number; atM: PlaceM }
  /** Scaled and turned about a place, then moved. */
  | { kind: 'move'; byM: PlaceM; turnRad?: number; scale?: number; aboutM?: PlaceM };

/** Height of the ground at a place relative to the origin. */
export type GroundM = (placeM: PlaceM) => number;

const decimals = 2;
/** A side or radius is no shorter. */
const minLengthM = 0.1;

/** The points after a change; those in a tile stay in it. */
export function changedPoints(shape: GroundShape, change: ShapeChange): PlaceM[] {
  const { layout, tile } = shape;
  if (tile === null) return freePoints(shape, change);
  if (layout.kind === 'side') {
    const [x, y] = tile.cornerM;
    const [toX, toY] = change.kind === 'point' ? change.toM : (shape.pointsM[0] ?? [x, y]);
    return [edgeOf({ ...tile, sideM: Math.max(toX - x, toY - y, minLengthM) })];
  }
  const points = freePoints(shape, change);
  return layout.kind === 'list' ? pointsInTile(points, tile, change.kind === 'move') : points;
}

/** `isWhole`: all are moved alike as far as that helps. */
function pointsInTile(
  pointsM: readonly PlaceM[],
  { cornerM, sideM }: Square,
  isWhole: boolean,
): PlaceM[] {
  const axis = (at: 0 | 1): number[] => {
    const [low, high] = [cornerM[at], cornerM[at] + sideM];
    const all = pointsM.map((place) => place[at]);
    const backM = Math.max(0, low - Math.min(...all)) - Math.max(0, Math.max(...all) - high);
    return all.map((one) => clamp(isWhole ? one + backM : one, low, high));
  };
  const [x, y] = [axis(0), axis(1)];
  return pointsM.map((_, index): PlaceM => [x[index] ?? 0, y[index] ?? 0]);
}

function freePoints({ layout, pointsM }: GroundShape, change: ShapeChange): PlaceM[] {
  if (change.kind === 'insert') return pointsM.toSpliced(change.index, 0, change.atM);
  const [first = [0, 0], second = first] = pointsM;
  if (change.kind === 'move') {
    if (!uprightKinds.has(layout.kind)) return pointsM.map((place) => moved(place, change));
    // Why: circles and rectangles along the axes have no direction; they are carried along.
    const middleM = layout.kind === 'circle' ? first : middleOf(pointsM);
    const [toX, toY] = moved(middleM, change);
    const { scale = 1 } = change;
    return pointsM.map(([x, y]) => [
      toX + scale * (x - middleM[0]),
      toY + scale * (y - middleM[1]),
    ]);
  }
  const { index, toM } = change;
  if (layout.kind === 'circle' || layout.kind === 'heading') {
    if (index > 0) return [first, toM];
    return [toM, [toM[0] + second[0] - first[0], toM[1] + second[1] - first[1]]];
  }
  if (layout.kind === 'corners' || layout.kind === 'extent') {
    const [[ax, ay], [bx, by]] = [first, pointsM[2] ?? second];
    const [x, y] = apart(pointsM[(index + 2) % 4] ?? first, toM);
    const [isEast, isNorth] = [index === 1 || index === 2, index > 1];
    return rectangle([isEast ? ax : x, isNorth ? ay : y], [isEast ? x : bx, isNorth ? y : by]);
  }
  if (layout.kind === 'cells') {
    const [fixedX, fixedY] = pointsM[(index + 2) % 4] ?? first;
    const sideM = Math.max(Math.abs(toM[0] - fixedX), Math.abs(toM[1] - fixedY), minLengthM);
    return squareCorners({ cornerM: cornerBeside([fixedX, fixedY], index, sideM), sideM });
  }
  return pointsM.map((place, at) => (at === index ? toM : place));
}

/** South-west corner of a square whose corner opposite to that of the index stays. */
function cornerBeside([x, y]: PlaceM, index: number, sideM: number): PlaceM {
  const [isEast, isNorth] = [index === 1 || index === 2, index > 1];
  return [isEast ? x : x - sideM, isNorth ? y : y - sideM];
}

/** Circles, and rectangles along the axes. */
const uprightKinds: ReadonlySet<string> = new Set(['circle', 'corners', 'extent', 'cells']);

/** The edits that write a change; none where it changes nothing. */
export function shapeEdits(
  data: unknown,
  shape: GroundShape,
  change: ShapeChange,
  groundM: GroundM,
): DocumentEdit[] {
  const { layout, path, pointsM, tile } = shape;
  const value = valueAt(data, path);
  const originM = documentOrigin(data);
  const after = changedPoints(shape, change);
  const inWorld = (place: PlaceM): [number, number] => {
    const [x, y] =
      tile === null
        ? placeToWorld(originM, place)
        : [place[0] - tile.cornerM[0], place[1] - tile.cornerM[1]];
    return [rounded(x, decimals), rounded(y, decimals)];
  };
  const set = (keys: readonly (string | number)[], next: unknown): DocumentEdit => {
    return { path: [...path, ...keys], op: 'set', value: next };
  };
  const [first = [0, 0], second = first] = after;
  switch (layout.kind) {
    case 'list': {
      const keys = layout.key === undefined ? [] : [layout.key];
      if (change.kind === 'insert') {
        const near = Math.max(change.index - 1, 0);
        const nearM = pointsM[near] ?? change.atM;
        const atM = after[change.index] ?? change.atM;
        const point = placed(valueAt(items(value)[near], keys), nearM, atM);
        const item = layout.key === undefined ? point : { [layout.key]: point };
        return [{ path: [...path, change.index], op: 'insert', value: item }];
      }
      return after.flatMap((place, index) => movedPoint([index, ...keys], index, place));
    }
    case 'fields':
      return layout.keys.flatMap((key, index) => movedPoint([key], index, after[index] ?? first));
    case 'place':
      return movedPoint([], 0, first);
    case 'circle': {
      const radiusM = rounded(Math.max(distanceM(first, second), minLengthM), decimals);
      const isResized = change.kind === 'move' ? isScaled(change) : change.index > 0;
      const centre = movedPoint(['centreM'], 0, first);
      return isResized ? [...centre, set(['radiusM'], radiusM)] : centre;
    }
    case 'heading': {
      const isTurned = change.kind === 'move' ? (change.turnRad ?? 0) !== 0 : change.index > 0;
      // Why: the start itself is moved as a point of its mission.
      if (!isTurned) return change.kind === 'move' ? [] : movedPoint([], 0, first);
      const yawDeg = degrees(Math.atan2(second[1] - first[1], second[0] - first[0]));
      const yawPath = [...path.slice(0, -1), layout.key];
      return [{ path: yawPath, op: 'set', value: rounded(yawDeg, 1) }];
    }
    case 'corners': {
      const heightOf = (index: number): unknown[] => items(items(value)[index]).slice(2);
      const [from, to] = [inWorld(first), inWorld(after[2] ?? second)];
      return [
        set(
          [],
          [
            [...from, ...heightOf(0)],
            [...to, ...heightOf(1)],
          ],
        ),
      ];
    }
    case 'side':
      return [set([layout.key], rounded(first[0] - (tile?.cornerM[0] ?? 0), decimals))];
    case 'cells': {
      const cellM = costMapSquare(data)?.cellM ?? 1;
      const { min, max } = costMapCells;
      const cells = clamp(Math.round((second[0] - first[0]) / cellM), min, max);
      const sideM = cells * cellM;
      const [x, y] = middleOf(after);
      const cornerM: PlaceM =
        change.kind === 'point'
          ? cornerBeside(after[(change.index + 2) % 4] ?? first, change.index, sideM)
          : [x - sideM / 2, y - sideM / 2];
      const isSized = change.kind !== 'move' || isScaled(change);
      return [...(isSized ? [set(['cells'], cells)] : []), set(['originM'], inWorld(cornerM))];
    }
    case 'extent': {
      const sides = [0, 1].map((axis) => after.map((place) => place[axis] ?? 0));
      const sizeM = sides.map((side) => rounded(Math.max(...side) - Math.min(...side), decimals));
      const centreM = inWorld(middleOf(after));
      const isSized = change.kind !== 'move' || isScaled(change);
      return [...(isSized ? [set(['sizeM'], sizeM)] : []), set(['centreM'], centreM)];
    }
  }

  function movedPoint(
    keys: readonly (string | number)[],
    index: number,
    to: PlaceM,
  ): DocumentEdit[] {
    const from = pointsM[index] ?? to;
    if (from[0] === to[0] && from[1] === to[1]) return [];
    return [set(keys, placed(valueAt(value, keys), from, to))];
  }

  /** Another place of a point that may have a height, too. */
  function placed(before: unknown, fromM: PlaceM, toM: PlaceM): number[] {
    const [, , z] = items(before);
    if (typeof z !== 'number') return inWorld(toM);
    const riseM = shape.isWorldHeight ? groundM(toM) - groundM(fromM) : 0;
    return [...inWorld(toM), riseM === 0 ? z : rounded(z + riseM, decimals)];
  }
}

/** Whether a point can be removed. */
export function canRemovePoint({ layout, pointsM }: GroundShape): boolean {
  return layout.kind === 'list' && pointsM.length > layout.minPoints;
}

/** Removes a point, or the whole of a circle. Null where nothing can be removed. */
export function removalEdits(shape: GroundShape, index: number): DocumentEdit[] | null {
  if (canRemovePoint(shape)) return [{ path: [...shape.path, index], op: 'remove' }];
  return shape.layout.kind === 'circle' ? [{ path: [...shape.path], op: 'remove' }] : null;
}

/** Places between neighbours, where a point can be added: before the point of the index. */
export function gapsOf({ layout, line, pointsM }: GroundShape): { index: number; atM: PlaceM }[] {
  if (layout.kind !== 'list' || !layout.canAdd || line === 'none') return [];
  const last = line === 'closed' ? pointsM.length : pointsM.length - 1;
  return pointsM.slice(0, last).map(([x, y], index) => {
    const [toX, toY] = pointsM[(index + 1) % pointsM.length] ?? [x, y];
    return { index: index + 1, atM: [(x + toX) / 2, (y + toY) / 2] };
  });
}

/** The line of a shape in steps that are short enough to follow the ground; empty where it has none. */
export function outlineOf({ layout, line, pointsM, tile }: GroundShape): PlaceM[] {
  const [first = [0, 0], second = first] = pointsM;
  if (layout.kind === 'circle') return circleAbout(first, distanceM(first, second));
  const isTile = layout.kind === 'side' && tile !== null;
  const places = isTile
    ? squareCorners({ ...tile, sideM: first[0] - tile.cornerM[0] })
    : [...pointsM];
  if (line === 'none' || places.length < 2) return [];
  const corners = line === 'closed' ? [...places, ...places.slice(0, 1)] : places;
  const last = corners.at(-1) ?? first;
  return [...corners.slice(1).flatMap((to, index) => stepsBetween(corners[index] ?? to, to)), last];
}

export function middleOf(pointsM: readonly PlaceM[]): PlaceM {
  const sum = (axis: 0 | 1): number => pointsM.reduce((total, place) => total + place[axis], 0);
  return [sum(0) / pointsM.length, sum(1) / pointsM.length];
}

const circleSteps = 64;
/** Steps of one side. */
const maxSteps = 160;

/** Closed. */
export function circleAbout([x, y]: PlaceM, radiusM: number): PlaceM[] {
  return Array.from({ length: circleSteps + 1 }, (_, step): PlaceM => {
    const angle = (2 * Math.PI * (step % circleSteps)) / circleSteps;
    return [x + radiusM * Math.cos(angle), y + radiusM * Math.sin(angle)];
  });
}

/** From a corner on, without the next one. */
function stepsBetween([ax, ay]: PlaceM, [bx, by]: PlaceM): PlaceM[] {
  const count = Math.min(maxSteps, Math.max(1, Math.ceil(Math.hypot(bx - ax, by - ay))));
  return Array.from({ length: count }, (_, step): PlaceM => {
    const share = step / count;
    return [ax + share * (bx - ax), ay + share * (by - ay)];
  });
}

function moved(
  [x, y]: PlaceM,
  { byM, turnRad = 0, scale = 1, aboutM = [0, 0] }: Extract<ShapeChange, { kind: 'move' }>,
): PlaceM {
  if (turnRad === 0 && scale === 1) return [x + byM[0], y + byM[1]];
  const [cos, sin] = [scale * Math.cos(turnRad), scale * Math.sin(turnRad)];
  const [dx, dy] = [x - aboutM[0], y - aboutM[1]];
  return [aboutM[0] + cos * dx - sin * dy + byM[0], aboutM[1] + sin * dx + cos * dy + byM[1]];
}

function isScaled({ scale = 1 }: Extract<ShapeChange, { kind: 'move' }>): boolean {
  return scale !== 1;
}

/** The dragged corner, no nearer to the fixed one than the shortest side. */
function apart([fx, fy]: PlaceM, [x, y]: PlaceM): PlaceM {
  const away = (from: number, to: number): number =>
    Math.abs(to - from) >= minLengthM ? to : from + (to < from ? -minLengthM : minLengthM);
  return [away(fx, x), away(fy, y)];
}

function distanceM([ax, ay]: PlaceM, [bx, by]: PlaceM): number {
  return Math.hypot(bx - ax, by - ay);
}
