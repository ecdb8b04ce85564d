// The cost map of Goodin 2018, eq. 8: a point of height h over the ground costs min(100·h/h_max, 100), and a cell
// keeps the highest cost of its points, which the worker finds tick by tick. Beside it two layers for the planner: the
// same costs with a margin for the tilt of the scan (`planningCost`), and obstacles, cells that were too high with that
// margin in two ticks at least, so that one registration error does not stop the vehicle.
import { unknownCost, type MapGeometry } from '#contract/host/run.ts';
import type { TickMap } from '#contract/worker/tickMap.ts';
import { cellAt } from './gridGeometry.ts';
import { createClearances } from './clearances.ts';
import { createSeenLow } from './seenLow.ts';
import type { CostMapView, Sightings } from './signals.ts';

/** From this cost on (1.35 m at h_max = 1.5 m) a cell is an obstacle; grass stays well below. */
export const lethalCost = 90;
/** Returns that may clear a cell. Why not from afar: few reach it, and a low one says little of what is above. */
export const clearingLimits: NonNullable<TickMap['clearing']> = {
  highCost: lethalCost,
  maxRangeM: 20,
};
/** Ticks in which a cell must have been seen at `lethalCost` or more. */
const lethalSightings = 2;
/** In Sightings.lowCost: no return may clear the cell. */
const noCost = 255;

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
  /** Takes what was seen in one tick. Returns whether a cell of `cost` changed. */
  integrate(seen: Sightings): boolean;
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

export interface CostMapOptions {
  /**
   * Cells from `lethalCost` on that are seen low again lose their cost: what moved on leaves no trail. Ours; default:
   * false, the highest cost stays, as in the paper.
   */
  clears?: boolean;
}

/** An empty map: everything unknown, no obstacle. */
export function createCostMap(
  geometry: MapGeometry,
  { clears = false }: CostMapOptions = {},
): CostMap {
  const { cells } = geometry;
  const cost = new Uint8Array(cells * cells).fill(unknownCost);
  const planningCost = new Uint8Array(cells * cells).fill(unknownCost);
  const sightings = new Uint8Array(cells * cells);
  const lastSighting = new Uint32Array(cells * cells);
  const clearances = createClearances(geometry);
  const seenLow = clears ? createSeenLow(cells * cells, lethalCost, lethalSightings) : null;
  let tick = 0;
  let copy: Uint8Array | null = null;

  const sight = (cell: number): void => {
    if (lastSighting[cell] === tick || (sightings[cell] as number) >= lethalSightings) return;
    lastSighting[cell] = tick;
    sightings[cell] = (sightings[cell] as number) + 1;
    if (sightings[cell] === lethalSightings) clearances.add(cell);
  };

  /** Clears the cells that were seen low; whether there are some. */
  const clearLow = (): boolean => {
    const cleared = seenLow?.endTick() ?? [];
    for (const { cell, highestCost } of cleared) {
      cost[cell] = highestCost;
      planningCost[cell] = Math.min(planningCost[cell] as number, highestCost);
      sightings[cell] = 0;
    }
    clearances.remove(cleared, (cell) => sightings[cell] === lethalSightings);
    return cleared.length > 0;
  };

  return {
    geometry,
    cost,
    planningCost,
    clearanceM: clearances.clearanceM,
    integrate({ cell: cellOf, cost: costOf, sureCost, lowCost }) {
      tick += 1;
      let isChanged = false;
      for (let row = 0; row < cellOf.length; row += 1) {
        const cell = cellOf[row] as number;
        const seenCost = costOf[row] as number;
        const surely = sureCost[row] as number;
        const known = cost[cell] as number;
        if (known === unknownCost || seenCost > known) {
          cost[cell] = seenCost;
          isChanged = true;
        }
        const planned = planningCost[cell] as number;
        if (planned === unknownCost || surely > planned) planningCost[cell] = surely;
        if (surely >= lethalCost) sight(cell);
        const low = lowCost?.[row] ?? noCost;
        if (low !== noCost && (cost[cell] as number) >= lethalCost) seenLow?.add(cell, low);
      }
      if (clearLow()) isChanged = true;
      if (isChanged) copy = null;
      return isChanged;
    },
    mark(xM, yM) {
      const cell = cellAt(geometry, xM, yM);
      if (cell < 0) return;
      cost[cell] = 100;
      planningCost[cell] = 100;
      sightings[cell] = lethalSightings;
      seenLow?.exclude(cell);
      clearances.add(cell);
      copy = null;
    },
    view() {
      copy ??= cost.slice();
      return { geometry, cost: copy };
    },
  };
}
