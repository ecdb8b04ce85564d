// A part of a cloud that a page can hold: evenly spread in space, the same for the same returns in the same order.
// Memory is bounded by the number of points asked for.
import type { ReturnTable } from '#contract/columns.ts';

export interface CloudSample {
  /** Points with a position that were given. */
  seen: number;
  /** Points of the sample: at most one in each cube of this side. */
  count: number;
  cubeM: number;
  xM: Float32Array;
  yM: Float32Array;
  zM: Float32Array;
  /** NaN: not recorded. */
  intensity: Float32Array;
  classId: Uint16Array;
}

export interface CloudSampler {
  add(table: ReturnTable, rows: number): void;
  /** Views of what is stored so far. */
  sample(): CloudSample;
}

/** Side of the cubes as long as there is room. */
const firstCubeM = 0.02;
/** By so much the cubes grow, until a tenth of the room is free again. */
const growth = 1.25;

/** Stores the first point in each cube of space; the cubes grow when there are `maxPoints`. */
export function createCloudSampler(maxPoints: number): CloudSampler {
  const xM = new Float32Array(maxPoints);
  const yM = new Float32Array(maxPoints);
  const zM = new Float32Array(maxPoints);
  const intensity = new Float32Array(maxPoints);
  const classId = new Uint16Array(maxPoints);
  let filled = new Set<number>();
  let cubeM = firstCubeM;
  let count = 0;
  let seen = 0;
  return {
    add,
    sample: () => ({
      seen,
      count,
      cubeM,
      xM: xM.subarray(0, count),
      yM: yM.subarray(0, count),
      zM: zM.subarray(0, count),
      intensity: intensity.subarray(0, count),
      classId: classId.subarray(0, count),
    }),
  };

  function add({ x_m, y_m, z_m, intensity: signal, class_id }: ReturnTable, rows: number): void {
    if (x_m === undefined || y_m === undefined || z_m === undefined) return;
    for (let row = 0; row < rows; row += 1) {
      const [x, y, z] = [x_m[row] ?? NaN, y_m[row] ?? NaN, z_m[row] ?? NaN];
      if (!Number.isFinite(x + y + z)) continue;
      seen += 1;
      if (filled.has(cubeOf(x, y, z, cubeM))) continue;
      if (count === maxPoints) {
        thin();
        if (filled.has(cubeOf(x, y, z, cubeM))) continue;
      }
      filled.add(cubeOf(x, y, z, cubeM));
      xM[count] = x;
      yM[count] = y;
      zM[count] = z;
      intensity[count] = signal?.[row] ?? NaN;
      classId[count] = class_id?.[row] ?? 0;
      count += 1;
    }
  }

  /** Larger cubes; of the points that fall into one, the first stays. */
  function thin(): void {
    while (count > 0.9 * maxPoints) {
      cubeM *= growth;
      filled = new Set();
      let stored = 0;
      for (let at = 0; at < count; at += 1) {
        const cube = cubeOf(xM[at] ?? 0, yM[at] ?? 0, zM[at] ?? 0, cubeM);
        if (filled.has(cube)) continue;
        filled.add(cube);
        for (const column of [xM, yM, zM, intensity, classId]) column[stored] = column[at] ?? 0;
        stored += 1;
      }
      count = stored;
    }
  }
}

/**
 * A number for a cube. Cubes far apart share one: at 2 cm those 5 km apart in x or y, and 1.3 km in z, which leaves out
 * a few points of scenes that are wider.
 */
function cubeOf(xM: number, yM: number, zM: number, cubeM: number): number {
  const column = Math.floor(xM / cubeM) & 0x3ffff;
  const row = Math.floor(yM / cubeM) & 0x3ffff;
  const layer = Math.floor(zM / cubeM) & 0xffff;
  return (column * 0x40000 + row) * 0x10000 + layer;
}
