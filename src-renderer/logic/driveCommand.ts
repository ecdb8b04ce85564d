// A drive that is chosen on screen as a line for the command line.
import { commandLine } from './commandLine.ts';

export interface DriveChoice {
  scenario: string;
  /** Left out: the scenario's own sensors. */
  sensor?: string | undefined;
  /** Left out: the scenario's own seed. */
  seed?: number | undefined;
  /** Left out: to the goal. */
  seconds?: number | undefined;
}

/** The command that starts the drive; arguments are quoted for a POSIX shell where they need it. */
export function driveCommand({ scenario, sensor, seed, seconds }: DriveChoice): string {
  return commandLine(['drive', scenario], { sensor, seed, seconds });
}
