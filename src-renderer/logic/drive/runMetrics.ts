// Metrics of a run that is watched: from the view that was sent last, and its final results.
import type { Pose, RunMetrics, RunView } from '#contract/host/run.ts';

/** Simulated seconds. */
export function nsToS(timeNs: number): number {
  return timeNs / 1e9;
}

/** Simulated seconds for each second of waiting so far; null before any time has passed. */
export function liveFactor({ tick, wallSeconds }: RunView): number | null {
  return wallSeconds > 0 ? nsToS(tick.timeNs) / wallSeconds : null;
}

/** Metrics of a run during and after it; null: not known (yet). */
export interface LiveMetrics {
  simSeconds: number | null;
  factor: number | null;
  points: { label: string; count: number | null; unit: string };
  speed: { label: string; mPerS: number | null };
  error: { label: string; metres: number | null };
  cost: number | null;
  distanceM: number | null;
  collisions: number | null;
}

export function liveMetrics({
  view,
  ending,
  costHere,
}: {
  view: RunView | null;
  ending: { metrics: RunMetrics | null } | null;
  costHere: number | null;
}): LiveMetrics {
  const final = ending?.metrics ?? null;
  if (final !== null) {
    const meanMPerS = final.simSeconds > 0 ? final.pathLengthM / final.simSeconds : null;
    return {
      simSeconds: final.simSeconds,
      factor: final.realTimeFactor,
      points: { label: 'Points', count: final.points, unit: '' },
      speed: { label: 'Mean speed', mPerS: meanMPerS },
      error: { label: 'Mean error', metres: final.meanPositionErrorM },
      cost: costHere,
      distanceM: final.distanceToGoalM,
      collisions: final.collisions,
    };
  }
  const tick = view?.tick;
  return {
    simSeconds: tick === undefined ? null : nsToS(tick.timeNs),
    factor: view === null ? null : (view.realTimeFactor ?? liveFactor(view)),
    points: { label: 'Points', count: view?.pointsPerSimS ?? null, unit: ' /s' },
    speed: { label: 'Speed', mPerS: tick?.speedMPerS ?? null },
    error: {
      label: 'Position error',
      metres: tick === undefined ? null : planarDistanceM(tick.truth, tick.estimate),
    },
    cost: costHere,
    distanceM: tick?.distanceToGoalM ?? null,
    collisions: tick?.collisions ?? null,
  };
}

function planarDistanceM({ positionM: [ax, ay] }: Pose, { positionM: [bx, by] }: Pose): number {
  return Math.hypot(bx - ax, by - ay);
}

/** How a run ended, as a sentence begins. */
export const endTexts = {
  goal: 'Reached the goal',
  seconds: 'Ended after the set time',
  timeout: 'Timed out before the goal',
  stuck: 'Stopped: stuck',
  cancelled: 'Stopped by user',
  'host-lost': 'Ended: the host stopped',
} as const;

/** Names of the vehicle's states. */
export const activityTexts = {
  waiting: 'waiting for a path',
  driving: 'driving',
  stuck: 'backing up',
  arrived: 'arrived',
  'given-up': 'stuck',
} as const;
