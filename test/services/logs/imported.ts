// Imports of foreign recordings, with the beams of the log, and what they differ by from those that it was made from.
import { join } from 'node:path';
import type { Replies } from '#contract/host/methods.ts';
import { beamStates } from '#contract/log/log.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { startNs } from './foreignFiles.ts';
import { importTo, logs } from './importTo.ts';
import type { TrueBeam } from './room.ts';

/** Imports a source. */
export async function imported(
  source: string,
  options: Record<string, unknown> = {},
): Promise<{ reply: Replies['log.import']; beams: LoggedBeam[] }> {
  const out = join(temporaryFolder(), 'x.log');
  const reply = await importTo(out, source, options);
  return { reply, beams: await beamsIn(out) };
}

export interface LoggedBeam {
  timeNs: bigint;
  sweep: number;
  laser: number;
  state: number;
  rangeM: number;
  intensity: number;
  azimuthRad: number;
  origin: number[];
  direction: number[];
}

/** All beams of a log. */
export async function beamsIn(file: string): Promise<LoggedBeam[]> {
  const log = await logs.open(file);
  const beams: LoggedBeam[] = [];
  for await (const { table, beams: count } of log.tables()) {
    for (let row = 0; row < count; row++) {
      const of = (name: keyof typeof table): number => Number(table[name]?.[row] ?? NaN);
      beams.push({
        timeNs: table.time_ns[row] ?? 0n,
        sweep: of('sweep'),
        laser: of('laser'),
        state: of('state'),
        rangeM: of('range_m'),
        intensity: of('intensity'),
        azimuthRad: of('azimuth_rad'),
        origin: [of('origin_x_m'), of('origin_y_m'), of('origin_z_m')],
        direction: [of('direction_x'), of('direction_y'), of('direction_z')],
      });
    }
  }
  await log.close();
  return beams;
}

/** The largest differences between beams and what they were made from. */
export function differences(
  beams: readonly LoggedBeam[],
  expected: readonly TrueBeam[],
): {
  missing: number;
  wrongState: number;
  timeNs: number;
  originM: number;
  angleRad: number;
  rangeM: number;
} {
  // Columns of the room are 781.25 µs apart; single precision keeps times to some nanoseconds.
  const key = (timeNs: number, laser: number): string =>
    `${Math.floor((timeNs + 100) / 1000)} ${laser}`;
  const known = new Map<string, LoggedBeam>(
    beams.map((beam) => [key(Number(beam.timeNs - startNs), beam.laser), beam]),
  );
  const worst = { missing: 0, wrongState: 0, timeNs: 0, originM: 0, angleRad: 0, rangeM: 0 };
  for (const beam of expected) {
    const found = known.get(key(beam.timeNs, beam.laser));
    if (found === undefined) {
      worst.missing += 1;
      continue;
    }
    const isReturn = Number.isFinite(beam.rangeM);
    const offNs = Math.abs(Number(found.timeNs - startNs) - beam.timeNs);
    worst.timeNs = Math.max(worst.timeNs, offNs);
    worst.originM = Math.max(worst.originM, distance(found.origin, beam.origin));
    worst.angleRad = Math.max(worst.angleRad, distance(found.direction, beam.direction));
    if (isReturn) worst.rangeM = Math.max(worst.rangeM, Math.abs(found.rangeM - beam.rangeM));
    if ((found.state === beamStates.returned) !== isReturn) worst.wrongState += 1;
  }
  return worst;
}

/** Between points or directions. */
export function distance(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...a.map((value, axis) => value - (b[axis] ?? 0)));
}

/** The error that refuses an import; null: it is not refused. */
export async function refusal(
  source: string,
  options: Record<string, unknown> = {},
): Promise<unknown> {
  return imported(source, options).then(
    () => null,
    (error: { code: string; message: string; details: { problems?: { message: string }[] } }) => {
      return { code: error.code, title: error.message, problems: error.details.problems };
    },
  );
}
