// A scan that is made on screen as a line for the command line.
import { commandLine } from '#renderer/logic/commandLine.ts';

export interface ScanChoice {
  sensor: string;
  rateHz?: number | undefined;
  mode?: string | undefined;
  seed?: number | undefined;
  pose: { positionM: readonly number[]; yawDeg: number; pitchDeg?: number | undefined };
}

/** The same returns, in a file. An edited sensor has to be saved first. */
export function scanCommand(
  scenario: string,
  { sensor, rateHz, mode, seed, pose }: ScanChoice,
  seconds: number,
): string {
  return commandLine(['scan', scenario], {
    sensor,
    pose: [...pose.positionM, pose.yawDeg, pose.pitchDeg ?? 0].join(','),
    seconds,
    'rate-hz': rateHz,
    mode,
    seed,
    out: 'scan.pcd',
  });
}
