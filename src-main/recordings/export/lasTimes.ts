// GPS times of LAS points. Tools of forestry take points of one GPS time for one pulse, so every pulse has a time of its
// own: pulses that leave together follow one another by a fixed step. Returns of a pulse share its time. A time depends
// on its row alone, so that parts of a file join.
import type { CloudOptions } from '#services/ports/exporters.ts';

type Firings = NonNullable<CloudOptions['firings']>[number];

export interface LasTimes {
  /** Time that the file states for time 0, in seconds. */
  zeroS: number;
  /** From one pulse of a firing to the next; 0: pulses never leave together, or have no room. */
  stepNs: number;
  /** By source; one for all sources where there is one. */
  firings: readonly Firings[];
}

/** The step where nothing is against it. */
const usualStepNs = 100;
/** Point user data has eight bits. */
const maxLasers = 256;

/** The times of a file. Without firings they are those of the pulses. */
export function lasTimes(zeroS: number, firings: readonly Firings[] = []): LasTimes {
  const together = Math.max(1, ...firings.map(({ pulses }) => pulses));
  if (together === 1) return { zeroS, stepNs: 0, firings };
  // A double distinguishes so much at such a time: 60 ns for adjusted standard GPS time until 2028.
  const resolutionNs = 2 ** (Math.floor(Math.log2(Math.max(1, Math.abs(zeroS)))) - 52) * 1e9;
  const least = usualStepNs * (Math.floor(resolutionNs / usualStepNs) + 1);
  const room = Math.min(...firings.map(({ gapNs, pulses }) => Math.floor(gapNs / pulses)));
  return { zeroS, stepNs: Math.min(least, room), firings };
}

/** The time of a row in the file. @param pulse its number; undefined: not known */
export function gpsTimeS(
  { zeroS, stepNs, firings }: LasTimes,
  source: number,
  timeNs: number,
  pulse: bigint | undefined,
): number {
  const own = firings[source] ?? firings[0];
  if (stepNs === 0 || own === undefined || pulse === undefined) return zeroS + timeNs * 1e-9;
  return zeroS + (timeNs + stepNs * own.placeOf(Number(pulse))) * 1e-9;
}

/** Whether point user data can hold the laser. */
export function fitsUserData({ firings }: LasTimes): boolean {
  return firings.length > 0 && firings.every(({ lasers }) => lasers <= maxLasers);
}

/** The meaning of a file's times, for its records. */
export function timesText(times: LasTimes): string {
  const { stepNs } = times;
  const lines = [
    stepNs > 0
      ? `gps_time = time of the pulse + ${stepNs} ns * its number among the pulses that leave at that time, from 0`
      : 'gps_time = time of the pulse',
    'time_ns (extra bytes) = time of the pulse since the start, exact',
    ...(fitsUserData(times) ? ['user_data = laser, from 0 at the lowest elevation'] : []),
  ];
  return `${lines.join('\n')}\n`;
}
