// Events of a run on its timeline: collisions, gaps in what was recorded, and plans that lead elsewhere.
import type { RunPlans, RunSeries } from './runSeries.ts';

export interface RunEvent {
  kind: 'collision' | 'gap' | 'plan';
  timeS: number;
  /** 'Collision at 3.2 s'. */
  title: string;
}

/** Ticks that are missing are a gap from this many on: times are rounded. */
const gapTicks = 1.5;
/** A plan that leads no farther from the one before it is the same route: the vehicle plans twice a second. */
const routeM = 2;

/** By time. A tick with several collisions is one event. @param plans null: not known yet */
export function runEvents(
  series: Pick<RunSeries, 'timeS' | 'collisions'>,
  plans: RunPlans | null,
): RunEvent[] {
  const found = [...tickEvents(series), ...(plans === null ? [] : planEvents(plans))];
  return found.sort((a, b) => a.timeS - b.timeS);
}

function planEvents({ timeS, changeM }: RunPlans): RunEvent[] {
  return Array.from(timeS).flatMap((now, row): RunEvent[] => {
    const change = changeM[row] ?? NaN;
    if (!(change > routeM)) return [];
    const title = `Other route at ${now.toFixed(1)} s, up to ${change.toFixed(1)} m away`;
    return [{ kind: 'plan', timeS: now, title }];
  });
}

function tickEvents({ timeS, collisions }: Pick<RunSeries, 'timeS' | 'collisions'>): RunEvent[] {
  const steps = timeS.slice(1).map((now, row) => now - (timeS[row] ?? now));
  const tickS = steps.toSorted()[Math.floor(steps.length / 2)] ?? Infinity;
  return Array.from(timeS).flatMap((now, row): RunEvent[] => {
    const before = timeS[row - 1];
    const added = (collisions[row] ?? 0) - (collisions[row - 1] ?? 0);
    const isGap = before !== undefined && now - before > gapTicks * tickS;
    const gapText = `Nothing recorded from ${before?.toFixed(1)} to ${now.toFixed(1)} s`;
    const count = added === 1 ? 'Collision' : `${added} collisions`;
    return [
      ...(isGap ? [{ kind: 'gap' as const, timeS: now, title: gapText }] : []),
      ...(added > 0
        ? [{ kind: 'collision' as const, timeS: now, title: `${count} at ${now.toFixed(1)} s` }]
        : []),
    ];
  });
}

/** The first event after a time, from the start again behind the last one; null: there is none. */
export function eventAfter(events: readonly RunEvent[], timeS: number): RunEvent | null {
  const slackS = 1e-6;
  return events.find((event) => event.timeS > timeS + slackS) ?? events[0] ?? null;
}
