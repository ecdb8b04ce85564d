// Driving without autonomy: by a person, whose newest command is used once a tick, or by the commands
// that another run recorded. Both give what the loop records, so that such a run can be driven again.
import type { DriveCommand } from '#contract/host/run.ts';
import type { Clock } from '#services/ports/system.ts';
import type { Driver } from './driver.ts';

export interface Person extends Driver {
  take(command: DriveCommand): void;
  command(): DriveCommand;
}

export interface Repeater extends Driver {
  command(tick: number): DriveCommand;
}

/** After so long without a command, in wall time, the vehicle stops. */
export const deadManS = 0.5;

const stop: DriveCommand = { speedMPerS: 0, yawRateRadPerS: 0 };

/** A person at the keys, or a program. @param holdS how long a command holds */
export function createPerson(clock: Clock, holdS: number = deadManS): Person {
  let newest = stop;
  let takenS = -Infinity;
  return {
    take(command) {
      newest = command;
      takenS = clock.seconds();
    },
    command: () => (clock.seconds() - takenS <= holdS ? newest : stop),
  };
}

/** The commands of a run, tick by tick; then the vehicle stops. */
export function createRepeater(commands: readonly DriveCommand[]): Repeater {
  return { command: (tick) => commands[tick] ?? stop };
}
