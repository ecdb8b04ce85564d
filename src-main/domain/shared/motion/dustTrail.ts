// Dust that the wheels of a vehicle raise along its way, as puffs that the worker lets drift, spread and settle: PHYSICS.md,
// 2.10.
import type { MotionLaw } from '#contract/worker/motions.ts';
import type { PlumeRecipe } from '#contract/worker/weatherRecipe.ts';
import type { Vector3 } from '../pose.ts';
import { frameAt } from './frames.ts';

export interface DustTrail {
  /** The vehicle is at a place; times rise. */
  moveTo(timeNs: number, placeM: Vector3): void;
  /** Five numbers a puff (puffColumns), of those that scans from a time on may meet; later ones ask for later times. */
  puffsFrom(timeNs: number): number[];
}

/** What was raised before is left out: spread over metres, it takes a hundredth of the light. */
const lastsS = 60;
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
      const settled = puffs.findIndex(([, , , raisedNs = 0]) => raisedNs >= timeNs - lastsS * 1e9);
      puffs.splice(0, settled === -1 ? puffs.length : settled);
      return puffs.flat();
    },
  };
}

const sampleS = 0.02;

/**
 * Puffs that a vehicle with a motion has raised, from time 0 on, as scans of an interval meet them: the same whatever
 * the interval.
 */
export function dustOfMotions(
  plume: PlumeRecipe,
  laws: readonly MotionLaw[],
): (interval: { fromNs: number; toNs: number }) => number[] {
  /** By motion and by minute. */
  const known = new Map<string, number[]>();
  const puffsOf = (motion: number, minute: number): number[] => {
    const key = `${motion} ${minute}`;
    const law = laws[motion];
    const found = known.get(key);
    if (found !== undefined || law === undefined) return found ?? [];
    const trail = createDustTrail(plume);
    for (let sample = 0; sample <= lastsS / sampleS; sample += 1) {
      const timeS = minute * lastsS + sample * sampleS;
      trail.moveTo(timeS * 1e9, frameAt(law, timeS).positionM);
    }
    const puffs = trail.puffsFrom(minute * lastsS * 1e9);
    known.set(key, puffs);
    return puffs;
  };
  return ({ fromNs, toNs }) => {
    const minuteOf = (timeNs: number): number => Math.floor(timeNs / (lastsS * 1e9));
    const minutes: number[] = [];
    for (let minute = Math.max(0, minuteOf(fromNs) - 1); minute <= minuteOf(toNs); minute += 1) {
      minutes.push(minute);
    }
    for (const key of known.keys()) {
      if (!minutes.includes(Number(key.split(' ')[1]))) known.delete(key);
    }
    return plume.raised.motions.flatMap((motion) =>
      minutes.flatMap((minute) => puffsOf(motion, minute)),
    );
  };
}
