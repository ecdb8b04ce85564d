// Whether the times of points can be right: their spread in a cloud is held against the time between clouds, and they
// advance as the stamps of the clouds do.
import { timeUnits, type TimeUnit } from '#contract/documents/quantities.ts';
import { median } from '#domain/shared/statistics.ts';
import { nsOfTimeUnit, type PointTimeField } from '#domain/shared/timeUnits.ts';

/** A cloud as its source has it, in nanoseconds. */
export interface TimedCloud {
  stampNs: number;
  timeNs: Float64Array | null;
}

/** Spread of the times in a cloud as a share of the time to the next one: less and more cannot be right. */
const minSpread = 0.01;
const maxSpread = 3;
/** Times between clouds from their stamps, and from the times of their points: a ratio beyond these cannot be right. */
const minAdvance = 0.5;
const maxAdvance = 2;
/** Distance of the middle of a cloud from its stamp, as a share of the time between clouds. */
const maxOffset = 1.5;

/** A reason that times cannot be right. */
export interface TimeFault {
  /** As in 'spread over 0.098 ms in a cloud, with 100 ms from cloud to cloud'. */
  found: string;
  /** Found over expected; null for times that do not advance. */
  factor: number;
  /** The unit with which they would be right; null: none. */
  unit: TimeUnit | null;
}

/** Null: the times may be right, or there are too few clouds with times. Equal times in a cloud give no verdict. */
export function timeFault(
  clouds: readonly TimedCloud[],
  { unit }: Pick<PointTimeField, 'unit'>,
): TimeFault | null {
  const timed = clouds.flatMap(({ stampNs, timeNs }) => {
    const range = timeNs === null ? null : rangeOf(timeNs);
    return range === null ? [] : [{ stampNs, ...range, middleNs: (range.fromNs + range.toNs) / 2 }];
  });
  timed.sort((a, b) => a.stampNs - b.stampNs);
  const [first, last] = [timed[0], timed.at(-1)];
  if (first === undefined || last === undefined || timed.length < 2) return null;
  const steps = timed.slice(1).map(({ stampNs }, at) => stampNs - (timed[at]?.stampNs ?? 0));
  const intervalNs = median(steps.filter((ns) => ns > 0));
  const spreadNs = median(timed.map(({ fromNs, toNs }) => toNs - fromNs));
  if (!(intervalNs > 0)) return null;
  const share = spreadNs / intervalNs;
  if (spreadNs > 0 && (share < minSpread || share > maxSpread)) {
    const found = `spread over ${timeText(spreadNs)} in a cloud, with ${timeText(intervalNs)} from cloud to cloud`;
    return { found, factor: share, unit: fittingUnit(share, unit) };
  }
  const stampsNs = last.stampNs - first.stampNs;
  const advance = (last.middleNs - first.middleNs) / stampsNs;
  if (!(advance >= minAdvance && advance <= maxAdvance)) {
    const found = `advance by ${timeText(last.middleNs - first.middleNs)} from the first to the last of ${timed.length} clouds, whose stamps advance by ${timeText(stampsNs)}`;
    return { found, factor: advance, unit: null };
  }
  const offsetNs = median(timed.map(({ stampNs, middleNs }) => middleNs - stampNs));
  if (Math.abs(offsetNs) <= maxOffset * intervalNs) return null;
  const found = `are ${timeText(offsetNs)} from the stamps of their clouds, which are ${timeText(intervalNs)} apart`;
  return { found, factor: offsetNs / intervalNs, unit: null };
}

/** Whether all points of each cloud have one time. */
export function haveOneTime(clouds: readonly TimedCloud[]): boolean {
  const ranges = clouds.flatMap(({ timeNs }) => (timeNs === null ? [] : [rangeOf(timeNs)]));
  return (
    ranges.length > 0 && ranges.every((range) => range === null || range.fromNs === range.toNs)
  );
}

/** Null: no time is a number. */
function rangeOf(timeNs: Float64Array): { fromNs: number; toNs: number } | null {
  let [fromNs, toNs] = [Infinity, -Infinity];
  for (const time of timeNs) {
    if (time < fromNs) fromNs = time;
    if (time > toNs) toNs = time;
  }
  return Number.isFinite(fromNs) && Number.isFinite(toNs) ? { fromNs, toNs } : null;
}

/** The unit with which a share of the interval would be from a tenth to all of it. */
function fittingUnit(share: number, unit: TimeUnit): TimeUnit | null {
  const fits = (other: TimeUnit): boolean => {
    const changed = (share * nsOfTimeUnit[other]) / nsOfTimeUnit[unit];
    return changed >= 0.1 && changed <= 1.1;
  };
  return timeUnits.find(fits) ?? null;
}

function timeText(ns: number): string {
  const size = Math.abs(ns);
  const unit: TimeUnit = size >= 1e9 ? 's' : size >= 1e6 ? 'ms' : size >= 1e3 ? 'us' : 'ns';
  return `${Number((ns / nsOfTimeUnit[unit]).toPrecision(3))} ${unit === 'us' ? 'µs' : unit}`;
}
