// The cost map of Goodin 2018, eq. 8: a point of height h over the ground costs min(100·h/h_max, 100), and a cell
// keeps the highest cost of its points. Beside it two layers for the planner: the same costs with a margin for the
// tilt of the scan (`planningCost`), and obstacles, cells that were too high with that margin in two ticks at least, so
// that one registration error does not stop the vehicle.
import { unknownCost, type MapGeometry } from '#contract/host/run.ts';
import { cellAt } from './gridGeometry.ts';
import { createGroundGrid, type WheelPlane } from './ground.ts';
import type { PointBuffer } from './registration.ts';
import type { CostMapView } from './signals.ts';

/** From this cost on (1.35 m at h_max = 1.5 m) a cell is an obstacle; grass stays well below. */
export const lethalCost = 90;
/** Ticks in which a cell must have been seen at `lethalCost` or more. */
const lethalSightings = 2;

export interface CostMap {
  readonly geometry: MapGeometry;
  /** Present costs by eq. 8, 0–100 or 255; written in place, to be read only. Exported, recorded and shown. */
  readonly cost: Uint8Array;
  /**
   * The planner's layer: eq. 8 of heights less `tiltMarginM`, so never above `cost`; unknown where `cost` is. Written
   * in place, to be read only.
   */
  readonly planningCost: Uint8Array;
  /** Distance from each cell's centre to the nearest obstacle, at most `clearanceLimitM`. */
  readonly clearanceM: Float32Array;
  /**
   * Takes the points of one tick. `tiltSigmaRad`, the stated error of roll and pitch, gives the margin of the planner's
   * layer. Returns whether a cell of `cost` changed.
   */
  integrate(points: PointBuffer, plane: WheelPlane, tiltSigmaRad: number): boolean;
  /** Marks the cell at a place as an obstacle: something was felt there that was not seen. */
  mark(xM: number, yM: number): void;
  /** A copy of the costs; the same one until the map changes. */
  view(): CostMapView;
}

/**
 * By how much a point at `rangeM` may be lower than it was measured: two standard deviations of the stated tilt, so
 * that a tilted scan of far ground is not taken for an obstacle. Ours; the paper has no margin.
 */
export function tiltMarginM(tiltSigmaRad: number, rangeM: number): number {
  return 2 * tiltSigmaRad * rangeM;
}

/** Clearances are known up to this distance; farther is as good. */
export const clearanceLimitM = 3;

export interface CostMapOptions {
  /** Whether any sensor looks down; otherwise heights are taken over the plane under the wheels. Default: true. */
  seesGround?: boolean;
  /**
   * Cells from `lethalCost` on that are seen low again lose their cost: what moved on leaves no trail. Ours; default:
   * false, the highest cost stays, as in the paper.
   */
  clears?: boolean;
}

/** An empty map: everything unknown, no obstacle. */
export function createCostMap(
  geometry: MapGeometry,
  maxHeightM: number,
  { seesGround = true, clears = false }: CostMapOptions = {},
): CostMap {
  const { cells, cellM, originM } = geometry;
  const [originX, originY] = originM;
  const cost = new Uint8Array(cells * cells).fill(unknownCost);
  const planningCost = new Uint8Array(cells * cells).fill(unknownCost);
  const clearanceM = new Float32Array(cells * cells).fill(clearanceLimitM);
  const sightings = new Uint8Array(cells * cells);
  const lastSighting = new Uint32Array(cells * cells);
  const ground = createGroundGrid(geometry, seesGround);
  const stamp = createStamp(geometry);
  const clearing = clears ? createClearing(cells * cells) : null;
  let tick = 0;
  let copy: Uint8Array | null = null;

  const sight = (cell: number): void => {
    if (lastSighting[cell] === tick || (sightings[cell] as number) >= lethalSightings) return;
    lastSighting[cell] = tick;
    sightings[cell] = (sightings[cell] as number) + 1;
    if (sightings[cell] === lethalSightings) stamp.add(clearanceM, cell);
  };

  return {
    geometry,
    cost,
    planningCost,
    clearanceM,
    integrate(points, plane, tiltSigmaRad) {
      tick += 1;
      ground.learn(points, plane);
      const { count, xM, yM, zM, rangeM } = points;
      const marginPerM = tiltMarginM(tiltSigmaRad, 1);
      const perHeight = 100 / maxHeightM;
      let isChanged = false;
      const { zM: planeZM, slopeX, slopeY, xM: planeXM, yM: planeYM } = plane;
      for (let n = 0; n < count; n += 1) {
        const x = (xM[n] as number) - originX;
        const y = (yM[n] as number) - originY;
        const columns = x / cellM;
        const rows = y / cellM;
        if (!(columns >= 0 && rows >= 0 && columns < cells && rows < cells)) continue;
        const cell = Math.trunc(rows) * cells + Math.trunc(columns);
        const planned = planningCost[cell] as number;
        // Nothing more to learn here: `cost` is no lower.
        const isSettled = planned === 100 && sightings[cell] === lethalSightings;
        if (isSettled && clearing === null) continue;
        const planeM =
          planeZM + slopeX * (x + originX - planeXM) + slopeY * (y + originY - planeYM);
        const heightM = (zM[n] as number) - planeM - ground.overPlaneM(x, y);
        const surelyM = heightM - marginPerM * (rangeM[n] as number);
        const pointCost = heightM <= 0 ? 0 : Math.min(100, Math.round(perHeight * heightM));
        const known = cost[cell] as number;
        if (known === unknownCost || pointCost > known) {
          cost[cell] = pointCost;
          isChanged = true;
        }
        const surely = surelyM <= 0 ? 0 : Math.min(100, Math.round(perHeight * surelyM));
        if (planned === unknownCost || surely > planned) planningCost[cell] = surely;
        if (surely >= lethalCost) sight(cell);
        if (clearing !== null && (cost[cell] as number) >= lethalCost) {
          clearing.see(cell, pointCost, rangeM[n] as number);
        }
      }
      const freed = clearing?.freed() ?? [];
      for (const { cell, highest } of freed) {
        cost[cell] = highest;
        planningCost[cell] = Math.min(planningCost[cell] as number, highest);
        sightings[cell] = 0;
        isChanged = true;
      }
      stamp.again(clearanceM, freed, (cell) => sightings[cell] === lethalSightings);
      if (isChanged) copy = null;
      return isChanged;
    },
    mark(xM, yM) {
      const cell = cellAt(geometry, xM, yM);
      if (cell < 0) return;
      cost[cell] = 100;
      planningCost[cell] = 100;
      sightings[cell] = lethalSightings;
      clearing?.keep(cell);
      stamp.add(clearanceM, cell);
      copy = null;
    },
    view() {
      copy ??= cost.slice();
      return { geometry, cost: copy };
    },
  };
}

/** Ticks in which a high cell must have been seen low, one after another: as many as make an obstacle. */
const freeSightings = lethalSightings;
/** Returns from farther do not clear a cell: few of them reach it, and a low one says little of what is above. */
const clearingRangeM = 20;

/** Which high cells are seen low again. */
function createClearing(size: number) {
  const lowTicks = new Uint8Array(size);
  const highestLow = new Uint8Array(size);
  const kept = new Set<number>();
  /** Highest cost of this tick's points, by cell. */
  const seen = new Map<number, number>();
  return {
    /** A point of this tick in a high cell. */
    see(cell: number, pointCost: number, rangeM: number): void {
      if (pointCost < lethalCost && rangeM > clearingRangeM) return;
      seen.set(cell, Math.max(pointCost, seen.get(cell) ?? 0));
    },
    /** The cell is never cleared. */
    keep(cell: number): void {
      kept.add(cell);
    },
    /** The cells that are free at the end of this tick, with the highest cost that they were seen with meanwhile. */
    freed(): { cell: number; highest: number }[] {
      const freed: { cell: number; highest: number }[] = [];
      for (const [cell, highest] of seen) {
        const isLow = highest < lethalCost && !kept.has(cell);
        lowTicks[cell] = isLow ? (lowTicks[cell] as number) + 1 : 0;
        highestLow[cell] = isLow ? Math.max(highest, highestLow[cell] as number) : 0;
        if (lowTicks[cell] !== freeSightings) continue;
        freed.push({ cell, highest: highestLow[cell] });
        lowTicks[cell] = 0;
        highestLow[cell] = 0;
      }
      seen.clear();
      return freed;
    },
  };
}

/**
 * Clearances about obstacles: for each cell the distance from its centre to the square of the obstacle's cell. The result
 * is exact within the limit, whatever the order of the obstacles.
 */
function createStamp({ cells, cellM }: MapGeometry) {
  const reach = Math.ceil(clearanceLimitM / cellM);
  const side = 2 * reach + 1;
  const gapM = (offset: number): number => Math.max(0, Math.abs(offset) - 0.5) * cellM;
  const distances = Float32Array.from({ length: side * side }, (_, n) =>
    Math.hypot(gapM((n % side) - reach), gapM(Math.floor(n / side) - reach)),
  );
  /** Calls `visit` for the cells of a square about a cell. */
  const around = (
    cell: number,
    within: number,
    visit: (at: number, dx: number, dy: number) => void,
  ): void => {
    const column = cell % cells;
    const row = Math.floor(cell / cells);
    for (let dy = -within; dy <= within; dy += 1) {
      const y = row + dy;
      if (y < 0 || y >= cells) continue;
      for (let dx = -within; dx <= within; dx += 1) {
        const x = column + dx;
        if (x >= 0 && x < cells) visit(y * cells + x, dx, dy);
      }
    }
  };
  /** Lowers the clearances about a new obstacle. */
  const add = (field: Float32Array, cell: number): void =>
    around(cell, reach, (at, dx, dy) => {
      const distanceM = distances[(dy + reach) * side + dx + reach] as number;
      if (distanceM < (field[at] as number)) field[at] = distanceM;
    });
  return {
    add,
    /** Raises the clearances about cells that are free again to those of the obstacles that are left. */
    again(
      field: Float32Array,
      freed: readonly { cell: number }[],
      isObstacle: (cell: number) => boolean,
    ): void {
      const left = new Set<number>();
      for (const { cell } of freed) {
        around(cell, reach, (at) => (field[at] = clearanceLimitM));
        around(cell, 2 * reach, (at) => isObstacle(at) && left.add(at));
      }
      for (const cell of left) add(field, cell);
    },
  };
}
