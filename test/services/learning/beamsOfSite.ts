// Logs in closed form for views: a stationary sensor that looks at a wall with a screen of known density before it.
import { logHeadSchema, type LogTable } from '#contract/log/log.ts';
import { createExporters } from '#recordings/export/exporters.ts';
import { createLogs } from '#recordings/log/logs.ts';
import { goldenHead } from '#test/recordings/log/writeGolden.ts';

export interface Beam {
  origin: readonly [number, number, number];
  /** Unit. */
  direction: readonly [number, number, number];
  /** null: a known miss. */
  rangeM: number | null;
  classId?: number;
}

/** World position that the origins are relative to: a georeferenced site. */
export const originM = [500_000, 4_000_000, 300] as const;

/** A linear congruential generator: the log is the same on every machine. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A number of the normal law of mean 0 and deviation 1. */
export function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Writes a log of the beams, in their order. */
export async function writeBeams(
  file: string,
  beams: readonly Beam[],
  crs = goldenHead.crs,
): Promise<void> {
  const logs = createLogs(createExporters({ dataFolder: null }));
  const head = logHeadSchema.parse({
    ...goldenHead,
    crs,
    originM,
    classes: ['none', 'leaf'],
    misses: 'recorded',
    sensor: { ...goldenHead.sensor, minM: 0, maxM: 100 },
    cuts: { ...goldenHead.cuts, azimuthDeg: null },
    columns: [
      ...goldenHead.columns.filter((name) => name !== 'label' && name !== 'class_id'),
      'class_id',
    ],
  });
  const count = beams.length;
  const table: LogTable = {
    time_ns: BigInt64Array.from(beams, (_, row) => BigInt(row) * 1000n),
    sweep: new Uint32Array(count),
    laser: new Uint16Array(count),
    state: Uint8Array.from(beams, ({ rangeM }) => (rangeM === null ? 2 : 1)),
    range_m: Float32Array.from(beams, ({ rangeM }) => rangeM ?? NaN),
    intensity: Float32Array.from(beams, ({ rangeM }) => (rangeM === null ? NaN : 0.5)),
    azimuth_rad: new Float32Array(count),
    origin_x_m: Float64Array.from(beams, ({ origin }) => origin[0]),
    origin_y_m: Float64Array.from(beams, ({ origin }) => origin[1]),
    origin_z_m: Float64Array.from(beams, ({ origin }) => origin[2]),
    direction_x: Float32Array.from(beams, ({ direction }) => direction[0]),
    direction_y: Float32Array.from(beams, ({ direction }) => direction[1]),
    direction_z: Float32Array.from(beams, ({ direction }) => direction[2]),
    class_id: Uint16Array.from(beams, ({ classId }) => classId ?? 0),
  };
  const writer = await logs.create(file, head, { isReplacing: true });
  await writer.write(table, count);
  await writer.close();
}
