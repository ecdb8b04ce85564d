// The pulses of a cloud that had no return, by the firing pattern of its sensor: a gap between two returns of a laser is
// a number of misses, in the directions between the two.
import type { Pose } from '#contract/host/run.ts';
import { badInput } from '#contract/errors.ts';
import { beamStates, type LogTable, unknownLaser } from '#contract/log/log.ts';
import { wrapAngle } from '#domain/shared/numbers.ts';
import { rotate } from '#domain/shared/pose.ts';
import { extent } from '#domain/shared/statistics.ts';
import type { MissingBeam } from './beamsOfCloud.ts';
import { beamTable, joinBeams } from './beamTable.ts';
import {
  type FiringPattern,
  type Firings,
  type LaserFiring,
  nearestIndex,
} from './firingPattern.ts';

/** So many firings of all lasers in a row without any return are a packet that is missing. */
const lostFirings = 8;
/** Sensors with fewer lasers may well miss with all of them. */
const manyLasers = 8;

/** Pulses of a cloud at most: so many, or so many for each return. A gap of years is one of damaged times. */
const maxPulses = 1e7;
const maxPulsesPerReturn = 1000;

/** A cloud whose misses are to be found. */
export interface CloudOfPattern {
  sweep: number;
  /** Cells of a grid without a return. */
  missing: readonly MissingBeam[];
  /** The source states its misses. */
  hasGrid: boolean;
  /** Beginning of the next cloud; null: there is none. */
  nextNs: number | null;
}

/** Its returns. */
export interface FoundBeams {
  table: LogTable;
  beams: number;
  poseAt: (timeNs: number) => Pose | null;
  baseNs: bigint;
}

export interface MissFinder {
  /**
   * The beams of a cloud with its misses.
   * @throws UnderstoryError 'bad-input' where its times are so far apart that nearly every pulse would be one
   */
  complete(cloud: CloudOfPattern, found: FoundBeams): { table: LogTable; beams: number };
}

/** A pulse without a return. */
interface Miss {
  laser: number;
  timeNs: number;
  azimuthRad: number;
  state: number;
}

/** Finds the misses of clouds, one after another. */
export function createMissFinder(pattern: FiringPattern): MissFinder {
  return {
    complete(cloud, found) {
      const lasers = byLaser(found, pattern.lasers.length);
      const misses = cloud.hasGrid
        ? firedCells(cloud.missing, lasers).flatMap((cell) => gridMiss(pattern, lasers, cell))
        : gaps(pattern, lasers, cloud.nextNs);
      const table = tableOf(misses, pattern, cloud.sweep, found);
      const returns = { table: found.table, beams: found.beams };
      if (table.beams === 0) return returns;
      return { table: joinBeams([returns, table]), beams: found.beams + table.beams };
    },
  };
}

function byLaser({ table, beams, baseNs }: FoundBeams, count: number): Firings[] {
  const lasers: Firings[] = Array.from({ length: count }, () => ({
    timesNs: [],
    azimuthsRad: [],
    elevationsRad: [],
  }));
  for (let beam = 0; beam < beams; beam++) {
    const own = lasers[table.laser[beam] ?? unknownLaser];
    if (own === undefined) continue;
    own.timesNs.push(Number((table.time_ns[beam] ?? 0n) - baseNs));
    own.azimuthsRad.push(table.azimuth_rad[beam] ?? 0);
  }
  for (const own of lasers) {
    const order = own.timesNs.map((_, at) => at);
    order.sort((a, b) => (own.timesNs[a] ?? 0) - (own.timesNs[b] ?? 0));
    own.azimuthsRad = order.map((at) => own.azimuthsRad[at] ?? 0);
    own.timesNs = order.map((at) => own.timesNs[at] ?? 0);
  }
  return lasers;
}

/** Without the cells of lost packets: drivers leave them zero, so that all of a laser have one time. */
function firedCells(cells: readonly MissingBeam[], lasers: readonly Firings[]): MissingBeam[] {
  const seen = lasers.map(({ timesNs }) => new Set(timesNs));
  return cells.filter(({ laser, timeNs }) => {
    const own = seen[laser];
    if (own === undefined || own.has(timeNs)) return false;
    own.add(timeNs);
    return true;
  });
}

/** A pulse of a grid's cell: its azimuth follows from the returns of its laser, or of others, around it. */
function gridMiss(
  pattern: FiringPattern,
  lasers: readonly Firings[],
  { laser, timeNs }: MissingBeam,
): Miss[] {
  const azimuthRad = azimuthAt(pattern, lasers, laser, timeNs);
  if (azimuthRad === null) return [];
  return [{ laser, timeNs, azimuthRad, state: beamStates.miss }];
}

/** Pulses between the returns of each laser, and between them and the ends of the cloud. */
function gaps(pattern: FiringPattern, lasers: readonly Firings[], nextNs: number | null): Miss[] {
  const times = lasers.flatMap(({ timesNs }) => [timesNs[0], timesNs.at(-1)]);
  const known = times.filter((time) => time !== undefined);
  if (known.length === 0) return [];
  const [startNs, lastNs] = extent(known);
  const period = pattern.lasers[pattern.reference]?.periodNs ?? Infinity;
  // Why not always: between two clouds others may be missing.
  const isFollowed = nextNs !== null && nextNs - lastNs < (lastNs - startNs) / 2;
  const endNs = isFollowed ? nextNs : lastNs + period / 2;
  expectDensity(pattern, lasers, endNs - startNs);
  const lost = lostSpans(lasers, startNs, period, endNs);
  const misses: Miss[] = [];
  for (const [laser, firing] of pattern.lasers.entries()) {
    const own = lasers[laser];
    if (firing === null || own === undefined) continue;
    for (const timeNs of missingTimes(pattern, firing, own, lasers, startNs, endNs)) {
      const azimuthRad = azimuthAt(pattern, lasers, laser, timeNs);
      if (azimuthRad === null) continue;
      const isLost = lost.some(([fromNs, toNs]) => timeNs > fromNs && timeNs < toNs);
      const state = isLost ? beamStates.unknown : beamStates.missInferred;
      misses.push({ laser, timeNs, azimuthRad, state });
    }
  }
  return misses;
}

function expectDensity(
  { lasers: firings }: FiringPattern,
  lasers: readonly Firings[],
  spanNs: number,
): void {
  const returns = lasers.reduce((sum, { timesNs }) => sum + timesNs.length, 0);
  const pulses = firings.reduce((sum, firing) => sum + spanNs / (firing?.periodNs ?? Infinity), 0);
  const most = Math.max(maxPulses, maxPulsesPerReturn * returns);
  if (pulses <= most) return;
  const found = `${returns} returns over ${spanNs / 1e9} s, in which it fires ${Math.round(pulses)}`;
  throw badInput(
    'source',
    `expected clouds of at most ${most} pulses of their sensor, found one of ${found}`,
  );
}

function missingTimes(
  { lasers: firings, reference }: FiringPattern,
  { periodNs, phaseNs }: LaserFiring,
  { timesNs }: Firings,
  lasers: readonly Firings[],
  startNs: number,
  endNs: number,
): number[] {
  const missing: number[] = [];
  let [firstNs] = timesNs;
  let lastNs = timesNs.at(-1);
  if (firstNs === undefined || lastNs === undefined) {
    const [anchorNs] = lasers[reference]?.timesNs ?? [];
    if (phaseNs === null || anchorNs === undefined || firings[reference] === null) return [];
    firstNs = lastNs = anchorNs + phaseNs;
    missing.push(firstNs);
  }
  for (let at = 1; at < timesNs.length; at++) {
    const [beforeNs = 0, afterNs = 0] = [timesNs[at - 1], timesNs[at]];
    const periods = Math.round((afterNs - beforeNs) / periodNs);
    for (let step = 1; step < periods; step++) {
      missing.push(beforeNs + ((afterNs - beforeNs) * step) / periods);
    }
  }
  for (let timeNs = firstNs - periodNs; timeNs > startNs - periodNs / 2; timeNs -= periodNs) {
    missing.push(timeNs);
  }
  for (let timeNs = lastNs + periodNs; timeNs < endNs - periodNs / 2; timeNs += periodNs) {
    missing.push(timeNs);
  }
  return missing;
}

/** Spans of many firings in which no laser had a return. */
function lostSpans(
  lasers: readonly Firings[],
  startNs: number,
  periodNs: number,
  endNs: number,
): [fromNs: number, toNs: number][] {
  if (lasers.filter(({ timesNs }) => timesNs.length > 0).length < manyLasers) return [];
  const times = lasers.flatMap(({ timesNs }) => timesNs).sort((a, b) => a - b);
  const spans: [number, number][] = [];
  let beforeNs = startNs;
  for (const timeNs of [...times, endNs]) {
    if (timeNs - beforeNs > lostFirings * periodNs) spans.push([beforeNs, timeNs]);
    beforeNs = timeNs;
  }
  return spans;
}

/** Between the returns of the laser around that time; else from the nearest return of the reference laser. */
function azimuthAt(
  { lasers: firings, turnRadPerNs, reference }: FiringPattern,
  lasers: readonly Firings[],
  laser: number,
  timeNs: number,
): number | null {
  const own = lasers[laser];
  if (own !== undefined && own.timesNs.length > 0) return alongTurn(own, timeNs, turnRadPerNs);
  const other = lasers[reference];
  if (other === undefined || other.timesNs.length === 0) return null;
  const offsetRad = firings[laser]?.azimuthOffsetRad ?? 0;
  return wrapAngle(alongTurn(other, timeNs, turnRadPerNs) + offsetRad);
}

function alongTurn(
  { timesNs, azimuthsRad }: Firings,
  timeNs: number,
  turnRadPerNs: number,
): number {
  const near = nearestIndex(timesNs, timeNs);
  const fromNs = timesNs[near] ?? 0;
  const from = azimuthsRad[near] ?? 0;
  const other = timeNs >= fromNs ? near + 1 : near - 1;
  const [toNs, to] = [timesNs[other], azimuthsRad[other]];
  const expected = from + turnRadPerNs * (timeNs - fromNs);
  if (toNs === undefined || to === undefined || toNs === fromNs) return wrapAngle(expected);
  const turn = turnRadPerNs * (toNs - fromNs);
  // The rest is how much the turn differs from an even one.
  const rest = wrapAngle(to - from - turn);
  return wrapAngle(expected + (rest * (timeNs - fromNs)) / (toNs - fromNs));
}

function tableOf(
  misses: readonly Miss[],
  pattern: FiringPattern,
  sweep: number,
  { table: like, poseAt, baseNs }: FoundBeams,
): { table: LogTable; beams: number } {
  const optional = (['label', 'class_id'] as const).filter((name) => like[name] !== undefined);
  const table = beamTable(misses.length, optional);
  table.range_m.fill(NaN);
  table.intensity.fill(NaN);
  let beams = 0;
  for (const { laser, timeNs, azimuthRad, state } of misses) {
    const pose = poseAt(timeNs);
    const elevation = pattern.lasers[laser]?.elevationRad;
    if (pose === null || elevation === undefined) continue;
    const level = Math.cos(elevation);
    const direction = rotate(pose.rotation, [
      level * Math.cos(azimuthRad),
      level * Math.sin(azimuthRad),
      Math.sin(elevation),
    ]);
    const beam = beams++;
    table.time_ns[beam] = baseNs + BigInt(Math.round(timeNs));
    table.sweep[beam] = sweep;
    table.laser[beam] = laser;
    table.state[beam] = state;
    table.azimuth_rad[beam] = azimuthRad;
    [table.origin_x_m[beam], table.origin_y_m[beam], table.origin_z_m[beam]] = pose.positionM;
    [table.direction_x[beam], table.direction_y[beam], table.direction_z[beam]] = direction;
  }
  return { table, beams };
}
