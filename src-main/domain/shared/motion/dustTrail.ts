// Dust that the wheels of a vehicle raise along its way, as puffs that the worker lets drift, spread and settle: PHYSICS.md,
// 2.10.
import { motionWindowNs, type MotionLaw } from '#contract/worker/motions.ts';
import { puffLastsNs, type PlumeRecipe } from '#contract/worker/weatherRecipe.ts';
import type { Vector3 } from '../pose.ts';
import { frameAt } from './frames.ts';

export interface DustTrail {
  /** The vehicle is at a place; times rise. */
  moveTo(timeNs: number, placeM: Vector3): void;
  /** Five numbers a puff (puffColumns), of those that scans from a time on may meet; the others are forgotten. */
  puffsFrom(timeNs: number): number[];
}

/** No vehicle is faster on a track: what goes farther at once was put there. */
const maxSpeedMPerS = 100;

/** One puff for each standard deviation of way: closer ones sum up to the same within 1e-8. */
export function createDustTrail({ raised, firstM }: PlumeRecipe): DustTrail {
  const puffs: number[][] = [];
  let last: { timeNs: number; placeM: Vector3 } | null = null;
  let leftM = firstM / 2;
  return {
    moveTo(timeNs, placeM) {
      const from = last;
      last = { timeNs, placeM };
      if (from === null || timeNs <= from.timeNs) return;
      const way = placeM.map((end, axis) => end - (from.placeM[axis] ?? 0));
      const wayM = Math.hypot(...way);
      const speedMPerS = wayM / ((timeNs - from.timeNs) / 1e9);
      if (wayM === 0 || speedMPerS > maxSpeedMPerS) return;
      const extinctionM2 = raised.extinctionM2PerM * Math.sqrt(speedMPerS) * firstM;
      for (; leftM <= wayM; leftM += firstM) {
        const share = leftM / wayM;
        const at = from.placeM.map((start, axis) => start + share * (way[axis] ?? 0));
        const raisedNs = Math.round(from.timeNs + share * (timeNs - from.timeNs));
        puffs.push([...at, raisedNs, extinctionM2]);
      }
      leftM -= wayM;
    },
    puffsFrom(timeNs) {
      const settled = puffs.findIndex(([, , , raisedNs = 0]) => raisedNs >= timeNs - puffLastsNs);
      puffs.splice(0, settled === -1 ? puffs.length : settled);
      return puffs.flat();
    },
  };
}

interface Interval {
  fromNs: number;
  toNs: number;
}

/** Puffs of a vehicle along its whole way. */
export function dustAlong(
  plume: PlumeRecipe,
  way: Iterable<{ timeNs: number; positionM: Vector3 }>,
): number[] {
  const trail = createDustTrail(plume);
  for (const { timeNs, positionM } of way) trail.moveTo(timeNs, positionM);
  return trail.puffsFrom(-Infinity);
}

/** Those that pulses of an interval may meet. Why a window more: lasers fire after their slot. */
export function puffsWithin(puffs: readonly number[], { fromNs, toNs }: Interval): Float64Array {
  const met: number[] = [];
  for (let at = 0; at < puffs.length; at += 5) {
    const raisedNs = puffs[at + 3] ?? NaN;
    if (raisedNs < fromNs - puffLastsNs || raisedNs > toNs + motionWindowNs) continue;
    met.push(...puffs.slice(at, at + 5));
  }
  return Float64Array.from(met);
}

const sampleNs = 20_000_000;
/** Ways are sampled again from multiples of it on. */
const partNs = puffLastsNs;

/**
 * Puffs that a vehicle with a motion has raised, from time 0 on, as scans of an interval meet them: the same whatever
 * the interval.
 */
export function dustOfMotions(
  plume: PlumeRecipe,
  laws: readonly MotionLaw[],
): (interval: Interval) => number[] {
  /** By motion and by part of its way. */
  const known = new Map<string, number[]>();
  const puffsOf = (motion: number, part: number): number[] => {
    const key = `${motion} ${part}`;
    const law = laws[motion];
    const found = known.get(key);
    if (found !== undefined || law === undefined) return found ?? [];
    const way = Array.from({ length: partNs / sampleNs + 1 }, (_, sample) => {
      const timeNs = part * partNs + sample * sampleNs;
      return { timeNs, positionM: frameAt(law, timeNs / 1e9).positionM };
    });
    const puffs = dustAlong(plume, way);
    known.set(key, puffs);
    return puffs;
  };
  return ({ fromNs, toNs }) => {
    const first = Math.max(0, Math.floor(fromNs / partNs) - 1);
    const parts = Array.from(
      { length: Math.floor(toNs / partNs) - first + 1 },
      (_, part) => first + part,
    );
    for (const key of known.keys()) {
      if (!parts.includes(Number(key.split(' ')[1]))) known.delete(key);
    }
    return plume.raised.motions.flatMap((motion) => parts.flatMap((part) => puffsOf(motion, part)));
  };
}
