// Where the ground lies, learned from the cloud: a coarse grid of low returns over the plane under the
// wheels. Where the sensor never saw the ground (a level planar scanner), that plane is all there is.
import type { MapGeometry } from '#contract/run.ts';
import { clamp } from './pose.ts';
import type { PointBuffer } from './registration.ts';

/** z = zM + slopeX·(x − xM) + slopeY·(y − yM): the plane on which the wheels stand. */
export interface WheelPlane {
  xM: number;
  yM: number;
  zM: number;
  slopeX: number;
  slopeY: number;
}

export interface GroundGrid {
  /** Learns from the points of one tick, given the plane under the wheels in that tick. */
  learn(points: PointBuffer, plane: WheelPlane): void;
  /**
   * Height of the ground over the plane that was given last, at x, y relative to the map's corner:
   * bilinear between cell centres; 0 where nothing is known.
   */
  overPlaneM(xM: number, yM: number): number;
}

/** In grass a cell must be wide enough that some pulse reaches the soil. */
const groundCellM = 2;
/** Beyond this the tilt's error (some 0.15°) is no longer small against grass. */
const trustedRangeM = 40;
/** The lowest return moves the estimate down quickly and up slowly: it is an upper bound of the ground. */
const gainDown = 0.5;
const gainUp = 0.05;
const gainWheels = 0.5;

/** A ground grid over the area of the map. */
export function createGroundGrid(geometry: MapGeometry): GroundGrid {
  const size = Math.ceil((geometry.cells * geometry.cellM) / groundCellM);
  const [originX, originY] = geometry.originM;
  const heights = new Float32Array(size * size); // in the world
  const isKnown = new Uint8Array(size * size);
  const lowest = new Float32Array(size * size); // this tick's, over the plane
  const smooth = new Float32Array(size * size); // over the plane

  const planeAtCell = (plane: WheelPlane, cell: number): number =>
    plane.zM +
    plane.slopeX * (originX + ((cell % size) + 0.5) * groundCellM - plane.xM) +
    plane.slopeY * (originY + (Math.floor(cell / size) + 0.5) * groundCellM - plane.yM);

  /** Mean over the plane of the known cells in the 3 × 3 neighbourhood, NaN where there is none. */
  const neighbourhoodMean = (plane: WheelPlane, cell: number): number => {
    const column = cell % size;
    const row = Math.floor(cell / size);
    let sum = 0;
    let count = 0;
    for (let y = Math.max(0, row - 1); y <= Math.min(size - 1, row + 1); y += 1) {
      for (let x = Math.max(0, column - 1); x <= Math.min(size - 1, column + 1); x += 1) {
        const other = y * size + x;
        if (isKnown[other] === 0) continue;
        sum += (heights[other] as number) - planeAtCell(plane, other);
        count += 1;
      }
    }
    return sum / count;
  };

  const findLowest = (points: PointBuffer, plane: WheelPlane): void => {
    lowest.fill(Infinity);
    const { count, xM, yM, zM, rangeM } = points;
    for (let n = 0; n < count; n += 1) {
      if ((rangeM[n] as number) > trustedRangeM) continue;
      const x = xM[n] as number;
      const y = yM[n] as number;
      const column = Math.floor((x - originX) / groundCellM);
      const row = Math.floor((y - originY) / groundCellM);
      if (column < 0 || row < 0 || column >= size || row >= size) continue;
      const cell = row * size + column;
      const over =
        (zM[n] as number) -
        plane.zM -
        plane.slopeX * (x - plane.xM) -
        plane.slopeY * (y - plane.yM);
      if (over < (lowest[cell] as number)) lowest[cell] = over;
    }
  };

  /** A low return is taken for ground unless it stands out from the ground known about it. */
  const isPlausible = (plane: WheelPlane, cell: number, over: number): boolean => {
    const expected = neighbourhoodMean(plane, cell);
    if (!Number.isNaN(expected)) return over < expected + 0.35 && over > expected - 0.6;
    const x = originX + ((cell % size) + 0.5) * groundCellM - plane.xM;
    const y = originY + (Math.floor(cell / size) + 0.5) * groundCellM - plane.yM;
    const distanceM = Math.hypot(x, y);
    return over < Math.min(0.3 + 0.02 * distanceM, 0.8) && over > -0.4 - 0.1 * distanceM;
  };

  /** Takes this tick's lowest return of a cell for ground, if it is plausible; once. */
  const settle = (plane: WheelPlane, cell: number): void => {
    const over = lowest[cell] as number;
    if (over === Infinity || !isPlausible(plane, cell, over)) return;
    lowest[cell] = Infinity;
    const height = planeAtCell(plane, cell) + over;
    const change = height - (heights[cell] as number);
    if (isKnown[cell] === 0) heights[cell] = height;
    else heights[cell] = (heights[cell] as number) + (change < 0 ? gainDown : gainUp) * change;
    isKnown[cell] = 1;
  };

  return {
    learn(points, plane) {
      findLowest(points, plane);
      const here = Math.floor((plane.yM - originY) / groundCellM) * size;
      const under = here + Math.floor((plane.xM - originX) / groundCellM);
      lowest[under] = Infinity;
      // There and back, so that within one tick what is known spreads up a slope in every direction.
      for (let cell = 0; cell < lowest.length; cell += 1) settle(plane, cell);
      for (let cell = lowest.length - 1; cell >= 0; cell -= 1) settle(plane, cell);
      if (under in heights) {
        const height = planeAtCell(plane, under);
        const old = isKnown[under] === 0 ? height : (heights[under] as number);
        heights[under] = old + gainWheels * (height - old);
        isKnown[under] = 1;
      }
      for (let cell = 0; cell < smooth.length; cell += 1) {
        const mean = neighbourhoodMean(plane, cell);
        if (Number.isNaN(mean)) smooth[cell] = 0;
        else if (isKnown[cell] === 0) smooth[cell] = mean;
        else smooth[cell] = (mean + (heights[cell] as number) - planeAtCell(plane, cell)) / 2;
      }
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
  };
}
