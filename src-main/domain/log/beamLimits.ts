// Values that a log can hold, by column. Importers refuse others, with the value as its source has it: in the file they
// would be other numbers, or infinite.
import {
  beamLabels,
  beamStates,
  type LogColumnName,
  logColumns,
  maxLogRangeM,
} from '#contract/log/log.ts';
import { countText, exactSecondsText } from '#domain/shared/formats.ts';

/** Why: the origins of a chunk of a log are within 10,000 km of each other. */
const maxApartM = 5e6;

const [minTimeNs, maxTimeNs] = [-(2n ** 63n), 2n ** 63n - 1n];

/** Limits of a time, as they are expected of seconds and of nanoseconds. */
export const timeLimits = {
  s: `a time from ${exactSecondsText(minTimeNs)} to ${exactSecondsText(maxTimeNs)} s`,
  ns: `a time from ${minTimeNs} to ${maxTimeNs} ns`,
} as const;

/** As is expected of the range of a return. */
export const rangeLimits = `a range above 0 and below ${countText(maxLogRangeM)} m`;

const maxWholes: Partial<Record<LogColumnName, number>> = {
  state: Math.max(...Object.values(beamStates)),
  label: Math.max(...Object.values(beamLabels)),
};
const maxOfType: Partial<Record<string, number>> = { u8: 0xff, u16: 0xffff, u32: 0xffff_ffff };

/** Whether signed 64-bit nanoseconds hold a time. */
export function isLogTime(timeNs: bigint): boolean {
  return BigInt.asIntN(64, timeNs) === timeNs;
}

/** As in 'a whole number from 0 to 65535'; null: the column holds the value. NaN is a value that is not known. */
export function expectedOf(column: LogColumnName, value: number): string | null {
  if (Number.isNaN(value)) return null;
  const most = maxWholes[column] ?? maxOfType[logColumns[column].type];
  if (most === undefined) {
    return Number.isFinite(Math.fround(value)) ? null : 'a number of single precision (to ±3.4e38)';
  }
  const isHeld = Number.isInteger(value) && value >= 0 && value <= most;
  return isHeld ? null : `a whole number from 0 to ${most}`;
}

type Position = readonly [number, number, number];

/** Gives the fault of each origin in turn, by its distance from the first; null: it has none. */
export function createOriginLimit(): (positionM: Position) => string | null {
  let firstM: Position | null = null;
  return (positionM) => {
    const [x, y, z] = (firstM ??= positionM);
    const apartM = Math.hypot(positionM[0] - x, positionM[1] - y, positionM[2] - z);
    if (apartM <= maxApartM) return null;
    return `expected an origin within ${countText(maxApartM / 1000)} km of the first, found (${positionM.join(', ')})`;
  };
}
