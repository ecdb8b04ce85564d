// Controls of a run under way, passed on to the parts that they are for: the pace, and
// the person who drives.
import type { RunControl, RunOrder } from '#contract/host/run.ts';
import type { Driver } from './driver.ts';
import { createExternalPlanner, type PlannerPorts } from './externalPlanner.ts';
import { createPerson, createRepeater } from './handDrive.ts';
import { createPace, type Pace } from './pace.ts';

export interface RunControls {
  pace: Pace;
  /** Null: autonomy drives. */
  driver: Driver | null;
  take(control: RunControl): void;
}

/** The controls of a run from its order on; after `stop` nothing waits any more. */
export function createRunControls(
  ports: PlannerPorts,
  order: RunOrder,
  stop: AbortSignal,
): RunControls {
  const { clock, timer } = ports;
  const { commands, commandHoldS, pace: start = { isPaused: false, speed: null } } = order;
  const pace = createPace({ clock, timer, stop, start });
  const person = createPerson(clock, commandHoldS);
  const driverOf = (): Driver | null => {
    const { control = 'autonomy', planner } = order;
    if (control === 'autonomy') return null;
    if (commands !== undefined) return createRepeater(commands);
    return planner === undefined ? person : createExternalPlanner(ports, order, planner, stop);
  };
  return {
    pace,
    driver: driverOf(),
    take(taken) {
      if (taken.kind === 'pace') pace.control(taken);
      else if (taken.kind === 'hold') pace.hold(taken.untilNs);
      else person.take(taken.command);
    },
  };
}

/** Default: autonomy drives, as fast as possible. */
export const uncontrolled: RunControls = {
  pace: {
    isPaused: false,
    speed: null,
    control: () => undefined,
    hold: () => undefined,
    pass: () => Promise.resolve(),
    pausedSeconds: () => 0,
  },
  driver: null,
  take: () => undefined,
};
