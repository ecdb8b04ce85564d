// Controls of a run under way, passed on to the parts that they are for: the pace, and
// the person who drives.
import type { RunControl, RunOrder } from '#contract/host/run.ts';
import type { Clock, Timer } from '#services/ports/system.ts';
import { createPerson, createRepeater, type Driver } from './handDrive.ts';
import { createPace, type Pace } from './pace.ts';

export interface RunControls {
  pace: Pace;
  /** Null: autonomy drives. */
  driver: Driver | null;
  take(control: RunControl): void;
}

/** The controls of a run from its order on; after `stop` nothing waits any more. */
export function createRunControls(
  { clock, timer }: { clock: Clock; timer: Timer },
  { control, commands, commandHoldS, pace: start = { isPaused: false, speed: null } }: RunOrder,
  stop: AbortSignal,
): RunControls {
  const pace = createPace({ clock, timer, stop, start });
  const person = createPerson(clock, commandHoldS);
  const driver = commands === undefined ? person : createRepeater(commands);
  return {
    pace,
    driver: control === 'hand' ? driver : null,
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
