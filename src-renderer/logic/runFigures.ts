// Figures of a run under way, from the view that was sent last.
import type { RunView } from '#contract/run.ts';

/** Simulated seconds. */
export function nsToS(timeNs: number): number {
  return timeNs / 1e9;
}

/** Simulated seconds for each second of waiting so far; null before any time has passed. */
export function liveFactor({ tick, wallSeconds }: RunView): number | null {
  return wallSeconds > 0 ? nsToS(tick.timeNs) / wallSeconds : null;
}

/** How a run ended, as a sentence begins. */
export const endTexts = {
  goal: 'Reached the goal',
  seconds: 'Stopped after the time that was asked for',
  timeout: 'Ran out of time before the goal',
  stuck: 'Gave up: stuck',
  cancelled: 'Stopped by hand',
  'host-lost': 'Ended when its host went away',
} as const;

/** What the vehicle is doing. */
export const activityTexts = {
  waiting: 'waiting for a path',
  driving: 'driving',
  stuck: 'backing out',
  arrived: 'arrived',
  'given-up': 'given up',
} as const;
