// The lasers of a source, counted from the lowest: by the elevations of their points, whatever numbers the source gives.
import type { LogSourceReader, SourceCloud } from '#services/ports/logSources.ts';

/** Lasers by elevation, from the lowest. */
export interface Lasers {
  /** By the number that the source gives them; null: they follow from elevations. */
  bySource: Map<number, number> | null;
  elevationsRad: number[];
}

/** Null: the source names no lasers, and their elevations are not known. */
export function lasersOf(
  { traits }: LogSourceReader,
  samples: readonly SourceCloud[],
): Lasers | null {
  if (traits.elevationsRad !== null) {
    return { bySource: null, elevationsRad: [...traits.elevationsRad] };
  }
  const sums = new Map<number, number[]>();
  for (const { laser, xM, yM, zM, points } of samples) {
    if (laser === null) continue;
    for (let point = 0; point < points; point++) {
      const [x = NaN, y = NaN, z = NaN] = [xM[point], yM[point], zM[point]];
      const level = Math.hypot(x, y);
      if (!(level > 0) || !Number.isFinite(z)) continue;
      const known = sums.get(laser[point] ?? 0) ?? [];
      if (known.length < 2000) known.push(Math.atan2(z, level));
      sums.set(laser[point] ?? 0, known);
    }
  }
  if (sums.size === 0) return null;
  const medians = [...sums].map(([number, values]) => {
    values.sort((a, b) => a - b);
    return { number, elevationRad: values[values.length >> 1] ?? 0 };
  });
  medians.sort((a, b) => a.elevationRad - b.elevationRad || a.number - b.number);
  return {
    bySource: new Map(medians.map(({ number }, laser) => [number, laser])),
    elevationsRad: medians.map(({ elevationRad }) => elevationRad),
  };
}

/** The cloud with lasers counted from the lowest. */
export function withLasers(cloud: SourceCloud, { bySource, elevationsRad }: Lasers): SourceCloud {
  const laser = new Uint16Array(cloud.points);
  for (let point = 0; point < cloud.points; point++) {
    if (bySource !== null) {
      laser[point] = bySource.get(cloud.laser?.[point] ?? -1) ?? 0xffff;
      continue;
    }
    const [x = NaN, y = NaN, z = NaN] = [cloud.xM[point], cloud.yM[point], cloud.zM[point]];
    laser[point] = nearest(elevationsRad, Math.atan2(z, Math.hypot(x, y)));
  }
  return { ...cloud, laser };
}

/** Index of the nearest of ascending values. */
function nearest(values: readonly number[], value: number): number {
  let [low, high] = [0, values.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) <= value) low = middle;
    else high = middle;
  }
  return value - (values[low] ?? 0) <= (values[high] ?? 0) - value ? low : high;
}
