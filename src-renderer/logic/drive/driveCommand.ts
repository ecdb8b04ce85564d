// A drive that is chosen on screen as a line for the command line.
import { commandLine } from '#renderer/logic/commandLine.ts';
import { missesSetting } from './driveForm.ts';

export interface DriveChoice {
  scenario: string;
  /** Left out: the scenario's own sensors. */
  sensor?: string | undefined;
  /** Left out: the scenario's own seed. */
  seed?: number | undefined;
  /** Left out: to the goal. */
  seconds?: number | undefined;
  startM?: readonly [number, number] | undefined;
  goalM?: readonly [number, number] | undefined;
  /** Simulated seconds per second; null or left out: as fast as it can. */
  speed?: number | null | undefined;
  /** The run whose commands are driven again. */
  commands?: string | undefined;
  /** Settings of the request; only the one about misses has an option. */
  settings?: readonly string[] | undefined;
}

/** The command that starts the drive; arguments are quoted for a POSIX shell where they need it. */
export function driveCommand(choice: DriveChoice): string {
  const { scenario, sensor, seed, seconds, startM, goalM, speed, commands, settings } = choice;
  return commandLine(['drive', scenario], {
    sensor,
    seed,
    seconds,
    commands,
    start: startM?.join(','),
    goal: goalM?.join(','),
    speed: speed ?? undefined,
    misses: settings?.includes(missesSetting),
  });
}
