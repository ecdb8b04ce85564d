// The ground as native-workers/mapping learns it, written apart from it: what the worker learns is compared with this.
import type { MapGeometry } from '#contract/host/run.ts';
import { clamp } from '#domain/shared/numbers.ts';
import { fillGaps, limitSlope } from './groundSurface.ts';
import type { WheelPlane } from '#contract/worker/tickMap.ts';
import type { PointBuffer } from './referenceRegistration.ts';

export interface GroundGrid {
  /** Learns from the points of one tick, given the plane under the wheels in that tick. */
  learn(points: PointBuffer, plane: WheelPlane): void;
  /**
   * Height of the ground over the plane that was given last, at x, y relative to the map's corner:
   * bilinear between cell centres; 0 where nothing is known.
   */
  overPlaneM(xM: number, yM: number): number;
  /** The cells whose height is known. */
  known(): { cell: number; heightM: number; fromM: number }[];
}

/** In grass a cell must be wide enough that some pulse reaches the soil. */
const groundCellM = 2;
/** The lowest return moves the estimate down quickly and up slowly: it is an upper bound of the ground. */
const gainDown = 0.5;
const gainUp = 0.05;
const gainWheels = 0.5;
/** Steeper than this (22°) no ground is expected, relative to the plane under the wheels. */
const maxGroundSlope = 0.4;
/**
 * A lowest return is taken for ground up to so far off that plane, and farther by the slope: a rut, a root, a stone.
 */
const groundToleranceM = 0.4;
/**
 * A lowest return counts where another return of its tick, in its cell or in one around it, is at most so much higher:
 * the rise of the steepest ground across a cell. A false alarm below the ground is alone, and would make the ground
 * around it a pit of `maxGroundSlope` sides.
 */
const supportM = maxGroundSlope * groundCellM;
/** Cells that were learned from nearby are not changed from afar, where tilt errors are greater. */
const alwaysLearnedM = 20;
const fartherShare = 1.5;
const muchNearerShare = 0.5;

/**
 * A ground grid over the area of the map. `seesGround`: whether any sensor looks down at all; if none
 * does, no return is taken for ground.
 */
export function createGroundGrid(geometry: MapGeometry, seesGround: boolean): GroundGrid {
  const size = Math.ceil((geometry.cells * geometry.cellM) / groundCellM);
  const [originX, originY] = geometry.originM;
  const heights = new Float32Array(size * size); // in the world
  /** Distance from which the height was learned; Infinity: it is not known. */
  const learnedFromM = new Float32Array(size * size).fill(Infinity);
  const lowest = new Float32Array(size * size); // this tick's, over the plane
  const nextLowest = new Float32Array(size * size);
  const smooth = new Float32Array(size * size); // over the plane

  const planeAtCell = (plane: WheelPlane, cell: number): number =>
    plane.zM +
    plane.slopeX * (originX + ((cell % size) + 0.5) * groundCellM - plane.xM) +
    plane.slopeY * (originY + (Math.floor(cell / size) + 0.5) * groundCellM - plane.yM);

  const findLowest = (points: PointBuffer, plane: WheelPlane): void => {
    lowest.fill(Infinity);
    nextLowest.fill(Infinity);
    const { count, xM, yM, zM } = points;
    const { zM: planeZM, slopeX, slopeY, xM: planeXM, yM: planeYM } = plane;
    for (let n = 0; n < count; n += 1) {
      const x = xM[n] as number;
      const y = yM[n] as number;
      const columns = (x - originX) / groundCellM;
      const rows = (y - originY) / groundCellM;
      if (!(columns >= 0 && rows >= 0 && columns < size && rows < size)) continue;
      const cell = Math.trunc(rows) * size + Math.trunc(columns);
      const over = (zM[n] as number) - planeZM - slopeX * (x - planeXM) - slopeY * (y - planeYM);
      if (!(over < (nextLowest[cell] as number))) continue;
      if (over < (lowest[cell] as number)) {
        nextLowest[cell] = lowest[cell] as number;
        lowest[cell] = over;
      } else {
        nextLowest[cell] = over;
      }
    }
  };

  /** Whether no other return is near this tick's lowest return of the cell. */
  const isAlone = (cell: number): boolean => {
    const bound = (lowest[cell] as number) + supportM;
    if ((nextLowest[cell] as number) <= bound) return false;
    const column = cell % size;
    const row = Math.floor(cell / size);
    for (let y = Math.max(0, row - 1); y <= Math.min(size - 1, row + 1); y += 1) {
      for (let x = Math.max(0, column - 1); x <= Math.min(size - 1, column + 1); x += 1) {
        const other = y * size + x;
        if (other !== cell && (lowest[other] as number) <= bound) return false;
      }
    }
    return true;
  };

  const distanceToCellM = (plane: WheelPlane, cell: number): number =>
    Math.sqrt(
      (originX + ((cell % size) + 0.5) * groundCellM - plane.xM) ** 2 +
        (originY + (Math.floor(cell / size) + 0.5) * groundCellM - plane.yM) ** 2,
    );

  /** Takes this tick's lowest return of a cell for ground, unless better is known. */
  const settle = (plane: WheelPlane, cell: number): void => {
    const over = lowest[cell] as number;
    if (over === Infinity) return;
    const distanceM = distanceToCellM(plane, cell);
    if (Math.abs(over) > groundToleranceM + maxGroundSlope * distanceM || isAlone(cell)) return;
    const fromM = learnedFromM[cell] as number;
    if (distanceM > Math.max(alwaysLearnedM, fartherShare * fromM)) return;
    const height = planeAtCell(plane, cell) + over;
    const change = height - (heights[cell] as number);
    const isFresh = fromM === Infinity || distanceM < muchNearerShare * fromM;
    if (isFresh) heights[cell] = height;
    else heights[cell] = (heights[cell] as number) + (change < 0 ? gainDown : gainUp) * change;
    if (isFresh || distanceM < fromM) learnedFromM[cell] = distanceM;
  };

  /** Brings `smooth` up to date with the known heights. */
  const smoothOver = (plane: WheelPlane): void => {
    for (let cell = 0; cell < smooth.length; cell += 1) {
      smooth[cell] =
        learnedFromM[cell] === Infinity
          ? Infinity
          : (heights[cell] as number) - planeAtCell(plane, cell);
    }
    limitSlope(smooth, size, maxGroundSlope * groundCellM);
    fillGaps(smooth, size, (cell) => learnedFromM[cell] !== Infinity);
  };

  return {
    learn(points, plane) {
      if (!seesGround) return;
      findLowest(points, plane);
      const column = Math.floor((plane.xM - originX) / groundCellM);
      const row = Math.floor((plane.yM - originY) / groundCellM);
      const isInside = column >= 0 && row >= 0 && column < size && row < size;
      const under = isInside ? row * size + column : -1;
      for (let cell = 0; cell < lowest.length; cell += 1) {
        if (cell !== under) settle(plane, cell);
      }
      if (isInside) {
        const height = planeAtCell(plane, under);
        const old = learnedFromM[under] === Infinity ? height : (heights[under] as number);
        heights[under] = old + gainWheels * (height - old);
        learnedFromM[under] = 0;
      }
      smoothOver(plane);
    },
    overPlaneM(xM, yM) {
      const x = clamp(xM / groundCellM - 0.5, 0, size - 1.001);
      const y = clamp(yM / groundCellM - 0.5, 0, size - 1.001);
      const column = Math.floor(x);
      const row = Math.floor(y);
      const u = x - column;
      const v = y - row;
      const at = row * size + column;
      const south = (smooth[at] as number) * (1 - u) + (smooth[at + 1] as number) * u;
      const north = (smooth[at + size] as number) * (1 - u) + (smooth[at + size + 1] as number) * u;
      return south * (1 - v) + north * v;
    },
    known: () =>
      [...learnedFromM].flatMap((fromM, cell) =>
        fromM === Infinity ? [] : [{ cell, heightM: heights[cell] as number, fromM }],
      ),
  };
}
