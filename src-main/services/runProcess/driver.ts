// Sources of the vehicle's commands in place of autonomy: a person, the commands of another run, an external planner.
import type { DriveCommand, Pose, RunEnd } from '#contract/host/run.ts';
import type { MotionEstimate, SensorScan } from '#domain/autonomy/signals.ts';
import type { RecordedReadings } from '#services/ports/recordings.ts';

/** The vehicle's estimates and returns at the end of a tick, without truth. */
export interface ObservedTick {
  timeNs: number;
  /** Estimated worldFromVehicle at `timeNs`. */
  estimate: Pose;
  /** Null before the first fix. */
  motion: MotionEstimate | null;
  readings: RecordedReadings;
  scans: SensorScan[];
}

/** A tick without an answer in time. */
export interface LateCommand {
  /** The tick whose answer holds; null: there was none, or it is too old, and the vehicle stops. */
  heldFromTick: number | null;
}

export interface DecidedCommand extends DriveCommand {
  /** Left out: in time. */
  late?: LateCommand;
}

export interface Driver {
  /** Once, before the scene is built. @throws UnderstoryError where it cannot drive */
  open?(): Promise<void>;
  /**
   * The command that is decided in a tick; asked for once, tick by tick. @param observe for drivers that look
   * @throws UnderstoryError where it cannot go on: the drive ends, and what was recorded is kept
   */
  command(tick: number, observe: () => ObservedTick): DecidedCommand | Promise<DecidedCommand>;
  /** Once, however the drive ended. */
  close?(ending: { end: RunEnd | null; error: string | null }): void;
}
