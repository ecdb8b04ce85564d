// The cost map of Goodin 2018: a point of height h over the ground costs min(100·h/h_max, 100), and a cell
// keeps the highest cost of its points. Beside it the obstacles for the planner: cells that were seen to be
// too high in two ticks at least, so that one registration error does not stop the vehicle.
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
  /** Present costs, 0–100 or 255; written in place, to be read only. */
  readonly cost: Uint8Array;
  /** Distance from each cell's centre to the nearest obstacle, at most `clearanceLimitM`. */
  readonly clearanceM: Float32Array;
  /**
   * Takes the points of one tick. `tiltSigmaRad` is the stated error of roll and pitch: a point counts
   * with the height that it has at least, two standard deviations below the measured one, so that a
   * tilted scan of far ground is not taken for an obstacle. Returns whether a cell changed.
   */
  integrate(points: PointBuffer, plane: WheelPlane, tiltSigmaRad: number): boolean;
  /** Marks the cell at a place as an obstacle: something was felt there that was not seen. */
  mark(xM: number, yM: number): void;
  /** A copy of the costs; the same one until the map changes. */
  view(): CostMapView;
}

/** Clearances are known up to this distance; farther is as good. */
export const clearanceLimitM = 3;

/**
 * An empty map: everything unknown, no obstacle. `seesGround`: whether any sensor looks down; otherwise
 * heights are taken over the plane under the wheels.
 */
export function createCostMap(
  geometry: MapGeometry,
  maxHeightM: number,
  seesGround = true,
): CostMap {
  const { cells, cellM, originM } = geometry;
  const [originX, originY] = originM;
  const cost = new Uint8Array(cells * cells).fill(unknownCost);
  const clearanceM = new Float32Array(cells * cells).fill(clearanceLimitM);
  const sightings = new Uint8Array(cells * cells);
  const lastSighting = new Uint32Array(cells * cells);
  const ground = createGroundGrid(geometry, seesGround);
  const stamp = createStamp(geometry);
  let tick = 0;
  let copy: Uint8Array | null = null;

  const sight = (cell: number): void => {
    if (lastSighting[cell] === tick || (sightings[cell] as number) >= lethalSightings) return;
    lastSighting[cell] = tick;
    sightings[cell] = (sightings[cell] as number) + 1;
    if (sightings[cell] === lethalSightings) stamp(clearanceM, cell);
  };

  return {
    geometry,
    cost,
    clearanceM,
    integrate(points, plane, tiltSigmaRad) {
      tick += 1;
      ground.learn(points, plane);
      const { count, xM, yM, zM, rangeM } = points;
      const marginPerM = 2 * tiltSigmaRad;
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
        const known = cost[cell] as number;
        // Nothing more to learn here.
        if (known === 100 && sightings[cell] === lethalSightings) continue;
        const planeM =
          planeZM + slopeX * (x + originX - planeXM) + slopeY * (y + originY - planeYM);
        const heightM =
          (zM[n] as number) - planeM - ground.overPlaneM(x, y) - marginPerM * (rangeM[n] as number);
        const pointCost = heightM <= 0 ? 0 : Math.min(100, Math.round(perHeight * heightM));
        if (known === unknownCost || pointCost > known) {
          cost[cell] = pointCost;
          isChanged = true;
        }
        if (pointCost >= lethalCost) sight(cell);
      }
      if (isChanged) copy = null;
      return isChanged;
    },
    mark(xM, yM) {
      const cell = cellAt(geometry, xM, yM);
      if (cell < 0) return;
      cost[cell] = 100;
      sightings[cell] = lethalSightings;
      stamp(clearanceM, cell);
      copy = null;
    },
    view() {
      copy ??= cost.slice();
      return { geometry, cost: copy };
    },
  };
}

/**
 * Lowers the clearances about a new obstacle: for each cell the distance from its centre to the square of
 * the obstacle's cell. The result is exact within the limit, whatever the order of the obstacles.
 */
function createStamp({ cells, cellM }: MapGeometry): (field: Float32Array, cell: number) => void {
  const reach = Math.ceil(clearanceLimitM / cellM);
  const side = 2 * reach + 1;
  const gapM = (offset: number): number => Math.max(0, Math.abs(offset) - 0.5) * cellM;
  const distances = Float32Array.from({ length: side * side }, (_, n) =>
    Math.hypot(gapM((n % side) - reach), gapM(Math.floor(n / side) - reach)),
  );
  return (field, cell) => {
    const column = cell % cells;
    const row = Math.floor(cell / cells);
    for (let dy = -reach; dy <= reach; dy += 1) {
      const y = row + dy;
      if (y < 0 || y >= cells) continue;
      for (let dx = -reach; dx <= reach; dx += 1) {
        const x = column + dx;
        if (x < 0 || x >= cells) continue;
        const distanceM = distances[(dy + reach) * side + dx + reach] as number;
        const at = y * cells + x;
        if (distanceM < (field[at] as number)) field[at] = distanceM;
      }
    }
  };
}
