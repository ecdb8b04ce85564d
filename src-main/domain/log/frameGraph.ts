// Where a sensor was, from transforms between named frames: the chain from its frame up to the uppermost one.
import type { Pose } from '#contract/host/run.ts';
import { aFromB, compose } from '#domain/shared/pose.ts';
import { createGrowingTrajectory } from '#domain/trajectory/growingTrajectory.ts';
import { trajectoryPoseAt, type Trajectory } from '#domain/trajectory/trajectory.ts';

/** The pose of `child` in `parent`: over time, or one that always holds. */
export interface FrameEdge {
  parent: string;
  child: string;
  isStatic: boolean;
  /** Nanoseconds; in any order, later ones of equal times do not count. */
  timesNs: readonly number[];
  poses: readonly Pose[];
}

/** Poses of a sensor over time. */
export interface SensorPath {
  /** The frame that the poses are in. */
  root: string;
  /** From the first to the last pose; infinite for a sensor at rest. */
  fromNs: number;
  toNs: number;
  /** Longest time between two of its poses; 0 for a sensor at rest. */
  longestGapNs: number;
  /** Null: outside, or in a gap. */
  poseAt(timeNs: number): Pose | null;
}

/** Between two poses farther apart than this no pose is known, unless a request says otherwise. */
const usualMaxGapNs = 2e9;

export interface PathOptions {
  /** The frame that poses are wanted in; left out: the uppermost one. */
  root?: string | undefined;
  /** The poses that change are those of the parent in the child. */
  isInverse?: boolean;
  maxGapNs?: number | undefined;
}

/** Frames of `edges` above `frame`, from it up. */
export function framesAbove(edges: readonly FrameEdge[], frame: string): string[] {
  const above = [frame];
  for (;;) {
    const last = above.at(-1);
    const edge = edges.find(({ child }) => child === last);
    if (edge === undefined || above.includes(edge.parent)) return above;
    above.push(edge.parent);
  }
}

/** Whether the chain from `frame` up has a frame that moves, or was given a pose at any time. */
export function isLocated(edges: readonly FrameEdge[], frame: string): boolean {
  const above = framesAbove(edges, frame);
  return edges.some(({ child, isStatic }) => above.includes(child) && !isStatic);
}

/**
 * The path of `frame` in `root`, or in the uppermost frame above it. Null: no chain leads there.
 */
export function sensorPath(
  edges: readonly FrameEdge[],
  frame: string,
  { root, isInverse = false, maxGapNs = usualMaxGapNs }: PathOptions = {},
): SensorPath | null {
  const above = framesAbove(edges, frame);
  const top = root ?? above.at(-1);
  const end = above.findIndex((name) => name === top);
  if (end < 0 || top === undefined) return null;
  const links = above.slice(0, end).map((child) => {
    const edge = edges.find((known) => known.child === child);
    return edge === undefined ? null : linkOf(edge, isInverse, maxGapNs);
  });
  if (links.includes(null)) return null;
  const chain = links.filter((link) => link !== null).reverse();
  const moving = chain.filter(({ toNs }) => Number.isFinite(toNs));
  return {
    root: top,
    fromNs: Math.max(-Infinity, ...moving.map(({ fromNs }) => fromNs)),
    toNs: Math.min(Infinity, ...moving.map(({ toNs }) => toNs)),
    longestGapNs: Math.max(0, ...moving.map(({ longestGapNs }) => longestGapNs)),
    poseAt(timeNs) {
      let pose: Pose = { positionM: [0, 0, 0], rotation: [0, 0, 0, 1] };
      for (const link of chain) {
        const step = link.poseAt(timeNs);
        if (step === null) return null;
        pose = compose(pose, step);
      }
      return pose;
    },
  };
}

type Link = Omit<SensorPath, 'root'>;

function linkOf(
  { isStatic, timesNs, poses }: FrameEdge,
  isInverse: boolean,
  maxGapNs: number,
): Link | null {
  const [first] = poses;
  if (first === undefined) return null;
  if (isStatic) return { fromNs: -Infinity, toNs: Infinity, longestGapNs: 0, poseAt: () => first };
  const trajectory = trajectoryOf(timesNs, poses, isInverse);
  const { time_ns: times } = trajectory;
  const fromNs = Number(times[0] ?? 0n);
  const toNs = Number(times.at(-1) ?? 0n);
  return {
    fromNs,
    toNs,
    longestGapNs: longestGap(times),
    poseAt: (timeNs) => {
      // Why so: times of points may be NaN.
      if (!(timeNs >= fromNs && timeNs <= toNs)) return null;
      return gapAt(times, timeNs) > maxGapNs ? null : trajectoryPoseAt(trajectory, timeNs);
    },
  };
}

function trajectoryOf(
  timesNs: readonly number[],
  poses: readonly Pose[],
  isInverse: boolean,
): Trajectory {
  const growing = createGrowingTrajectory();
  const order = timesNs.map((_, row) => row);
  order.sort((a, b) => (timesNs[a] ?? 0) - (timesNs[b] ?? 0) || a - b);
  for (const row of order) {
    const pose = poses[row];
    if (pose === undefined) continue;
    growing.add(Math.round(timesNs[row] ?? 0), isInverse ? inverseOf(pose) : pose);
  }
  return growing.trajectory();
}

const identity: Pose = { positionM: [0, 0, 0], rotation: [0, 0, 0, 1] };

function inverseOf(pose: Pose): Pose {
  return aFromB(pose, identity);
}

function longestGap(times: BigInt64Array): number {
  let longest = 0;
  for (let row = 1; row < times.length; row++) {
    longest = Math.max(longest, Number((times[row] ?? 0n) - (times[row - 1] ?? 0n)));
  }
  return longest;
}

/** Nanoseconds between the poses around a time; 0 outside. */
function gapAt(times: BigInt64Array, timeNs: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Number(times[middle] ?? 0n) <= timeNs) low = middle + 1;
    else high = middle;
  }
  if (low === 0 || low === times.length) return 0;
  return Number((times[low] ?? 0n) - (times[low - 1] ?? 0n));
}
