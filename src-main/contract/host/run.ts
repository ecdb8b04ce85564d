// A run: what the host orders from a run process, what it reports meanwhile, and its metrics.
import type { ErrorCode } from '../errors.ts';
import type { Isa, SceneSummary } from '../worker/worker.ts';
import type { Pose } from '../pose.ts';
import type { CompiledScenario, CompiledSensor } from './compiledScenario.ts';
import type { activities } from './recordedMessages.ts';
import type { RunMetrics } from './runMetrics.ts';

export type { CompiledScenario, CompiledSensor, Pose, RunMetrics };

/** `run.execute`: RunOrder (+ column heights) -> chunks of RunEvent, events `run.view`, then RunOutcome. */
export interface RunOrder {
  compiled: CompiledScenario;
  /** Stop after this much simulated time; null: at the goal or the mission's time-out. */
  seconds: number | null;
  /** Scanning, mapping and recording overlap; never changes a byte. */
  isPipelined: boolean;
  /** Absolute paths; null: nothing is recorded (verify). */
  recordingFile: string | null;
  lockFile: string | null;
  /** Without a recording: scans are packed as for one, and their checksums reported. */
  isPacked?: boolean;
  threads: number | null;
  isa: Isa | null;
  /** Hash of the contents of the recipe's mesh files; a process builds an equal scene once. Left out: not known. */
  contentsHash?: string;
  /** Runs under way that share the memory of the machine; default: this one alone. */
  runsAtOnce?: number;
  /** Points per `run.view` event; 0: none are sent. */
  viewPoints: number;
  /** The source of commands; default: autonomy. Mapping and planning also run during manual control. */
  control?: DriveControl;
  /** In place of autonomy: what a run before recorded, one a tick, then standstill. */
  commands?: DriveCommand[];
  /** With 'external', where there are no `commands`. */
  planner?: PlannerOrder;
  /** With 'hand': wall time after which the vehicle stops without another command; default: 0.5. */
  commandHoldS?: number;
  /** Default: at once, and as fast as it can. */
  pace?: RunPace;
}

/** 'hand': a person, or a program through drive.command; 'external': a planner that is asked each tick. */
export const driveControls = ['autonomy', 'hand', 'external'] as const;
export type DriveControl = (typeof driveControls)[number];

/** An external planner (planner.ts). */
export interface PlannerOrder {
  /** tcp://HOST:PORT or unix:PATH, of this machine. */
  address: string;
  /** Wall time for which each tick waits for the command; then the last one holds. */
  timeoutS: number;
  /** Simulated time for which a command holds without another; then the vehicle stops. */
  holdS: number;
}

/** A vehicle's command: speed along its heading, and turning rate, counter-clockwise positive. */
export interface DriveCommand {
  speedMPerS: number;
  yawRateRadPerS: number;
}

/** The pace of a run in wall time. It never changes a byte of the recording. */
export interface RunPace {
  isPaused: boolean;
  /** At most so many simulated seconds a second; null: as fast as it can. */
  speed: number | null;
}

/** A message from a host to a running run (event `run.control`). */
export type RunControl =
  /** With `steps` it pauses after so many more ticks. */
  | {
      kind: 'pace';
      isPaused?: boolean | undefined;
      speed?: number | null | undefined;
      steps?: number | undefined;
    }
  /** Waits once it has reached this time, until it may continue; pauses take effect there. Null: never waits. */
  | { kind: 'hold'; untilNs: number | null }
  /** Holds until the next one, or for RunOrder.commandHoldS if none comes: then the vehicle stops. */
  | { kind: 'command'; command: DriveCommand };

/** An event that the host writes into the catalogue, in order; columns as noted. */
export type RunEvent =
  /** The first; its instances follow, at least one slice of them. */
  | { kind: 'scene'; summary: SceneSummary; isa: Isa; threads: number; engine: string }
  /** Rows fromRow and following, of `total`. Columns: scene.instances (worker.ts). */
  | { kind: 'instances'; fromRow: number; total: number }
  /** One a tick: truth and estimate at the end of the tick. */
  | { kind: 'tick'; tick: TickRecord }
  /** One a tick and sensor; `cloudCrc32s`: of each cloud that was packed. Columns: object_id u32, object_returns u32. */
  | { kind: 'scan'; scan: ScanRecord; cloudCrc32s?: number[] };

export interface TickRecord {
  tick: number;
  timeNs: number;
  truth: Pose;
  estimate: Pose;
  speedMPerS: number;
  distanceToGoalM: number;
  /** Collisions counted so far. */
  collisions: number;
  activity: Activity;
  /** The last position fix of the tick, as the estimator got it. Null: there was none; absent: not known. */
  gpsM?: [number, number, number] | null;
}

/** The state of the vehicle; `stuck` while it backs out. */
export type Activity = (typeof activities)[number];

export interface ScanRecord {
  tick: number;
  sensor: number;
  fromNs: number;
  toNs: number;
  pulses: number;
  returns: number;
  hash: string;
}

/**
 * Body of the event `run.view`: what a screen shows of a tick. Columns: shownPointColumns of
 * shownPoints.ts (decimated returns; none where only the pace changed), cost u8 (whole cost map, 255 unknown; only when it changed),
 * path_x_m path_y_m f32 (planned path).
 */
export interface RunView extends RunPace {
  tick: TickRecord;
  /** How the run ends with this tick; null: it continues. */
  end: RunEnd | null;
  map: MapGeometry;
  control: DriveControl;
  /** Since the first tick, pauses left out. */
  wallSeconds: number;
  /** Returns of the run so far. */
  points: number;
  /** Simulated seconds for each second of wall time, over the last seconds without pauses; null before there is anything to say. */
  realTimeFactor: number | null;
  /** Returns for each simulated second, over the last seconds. */
  pointsPerSimS: number | null;
}

/** The value of a cost map's cell that nothing has been seen in; known costs are 0 to 100. */
export const unknownCost = 255;

export interface MapGeometry {
  cells: number;
  cellM: number;
  /** South-west corner in the world. */
  originM: [number, number];
}

export type RunEnd = 'goal' | 'seconds' | 'timeout' | 'stuck' | 'cancelled' | 'host-lost';

/** Why a run ended and its results. */
export interface RunOutcome {
  end: RunEnd;
  metrics: RunMetrics;
}

/** Where a run of another data folder came from. */
export interface RunOrigin {
  kind: 'bundle' | 'recording' | 'data-folder';
  /** Name of the file or folder, without the folders above it. */
  file: string;
  /** SHA-256 over scenario, engine and results: equal for equal runs. */
  identity: string;
  importedMs: number;
}

/** States of a run in the catalogue. */
export const runStates = ['running', 'finished', 'failed', 'cancelled', 'interrupted'] as const;
export type RunState = (typeof runStates)[number];

/** How a run ended, as the catalogue keeps it and `drive.watch` replies. */
export interface RunEnding {
  state: RunState;
  /** Null where it did not end by itself, or has not ended yet. */
  end: RunEnd | null;
  metrics: RunMetrics | null;
  error: string | null;
  /** Kind of the failure, where this host saw it. */
  errorCode: ErrorCode | null;
}
