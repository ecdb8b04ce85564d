// A run: what the host orders from a run process, what comes back while it goes on, and its figures.
import type { ErrorCode } from './errors.ts';
import type { Isa, SceneSummary } from './worker.ts';
import type { SceneRecipe, SensorRecipe } from './recipe.ts';
import type { Scenario } from './scenario.ts';

/** A pose: worldFromBody, ENU, quaternion x, y, z, w. */
export interface Pose {
  positionM: [number, number, number];
  rotation: [number, number, number, number];
}

/** A scenario with every file it refers to read and resolved; height-field heights travel as a column. */
export interface CompiledScenario {
  scenario: Scenario;
  recipe: SceneRecipe;
  sensors: CompiledSensor[];
  /** SHA-256 of scenario, recipe and sensors in canonical JSON, heights and mesh files included, hex. */
  scenarioHash: string;
}

export interface CompiledSensor {
  name: string;
  recipe: SensorRecipe;
  /** vehicleFromSensor. */
  mount: Pose;
}

/** `run.execute`: RunOrder (+ column heights) -> chunks of RunFact, events `run.view`, then RunOutcome. */
export interface RunOrder {
  compiled: CompiledScenario;
  /** Stop after this much simulated time; null: at the goal or the mission's time-out. */
  seconds: number | null;
  /** Scanning, mapping and recording overlap; never changes a byte. */
  isPipelined: boolean;
  /** Absolute paths; null: nothing is recorded (verify). */
  recordingFile: string | null;
  lockFile: string | null;
  threads: number | null;
  isa: Isa | null;
  /** Points per `run.view` event; 0: none are sent. */
  viewPoints: number;
  /** Replaces the returns by nothing: shows that the vehicle depends on its sensor. For tests. */
  isBlind?: boolean;
}

/** What the host writes into the catalogue, in order; columns as noted. */
export type RunFact =
  /** Columns: scene.instances (worker.ts). */
  | { kind: 'scene'; summary: SceneSummary; isa: Isa; threads: number }
  /** One a tick: truth and estimate at the end of the tick. */
  | { kind: 'tick'; tick: TickFacts }
  /** One a tick and sensor. Columns: object_id u32, object_returns u32. */
  | { kind: 'scan'; scan: ScanFacts };

export interface TickFacts {
  tick: number;
  timeNs: number;
  truth: Pose;
  estimate: Pose;
  speedMPerS: number;
  distanceToGoalM: number;
  /** Collisions counted so far. */
  collisions: number;
  activity: Activity;
}

/** What the vehicle is doing; `stuck` while it backs out. */
export type Activity = 'waiting' | 'driving' | 'stuck' | 'arrived' | 'given-up';

export interface ScanFacts {
  tick: number;
  sensor: number;
  fromNs: number;
  toNs: number;
  pulses: number;
  returns: number;
  hash: string;
}

/** Body of the event `run.view`: what a screen shows of a tick. Columns: x_m y_m z_m intensity f32,
 *  class_id u16 (decimated returns), cost u8 (whole cost map, 255 unknown; only when it changed),
 *  path_x_m path_y_m f32 (planned path). */
export interface RunView {
  tick: TickFacts;
  map: MapGeometry;
  wallSeconds: number;
  points: number;
}

/** What a cost map holds where nothing has been seen; known costs are 0 to 100. */
export const unknownCost = 255;

export interface MapGeometry {
  cells: number;
  cellM: number;
  /** South-west corner in the world. */
  originM: [number, number];
}

export type RunEnd = 'goal' | 'seconds' | 'timeout' | 'stuck' | 'cancelled' | 'host-lost';

/** Why a run ended and what it came to. */
export interface RunOutcome {
  end: RunEnd;
  figures: RunFigures;
}

export interface RunFigures {
  simSeconds: number;
  /** From the first tick to the last byte on disk; building apart. */
  wallSeconds: number;
  realTimeFactor: number;
  buildSeconds: number;
  ticks: number;
  pulses: number;
  points: number;
  goalReached: boolean;
  distanceToGoalM: number;
  collisions: number;
  /** Names of the instances that were run into. */
  collidedWith: string[];
  pathLengthM: number;
  /** Straight line from start to goal. */
  shortestLengthM: number;
  energyJ: number;
  /** Length of the path that led through ground cover (not solid, not ground). */
  groundCoverLengthM: number;
  meanPositionErrorM: number;
  peakRssMB: number;
  /** User and system time of the run process and its worker over wallSeconds; null where not known. */
  coreSeconds: number | null;
  plans: number;
  /** Wall time of planning anew: costs taken over, A*, corners cut. */
  planMedianMs: number;
  planP95Ms: number;
  planMostMs: number;
}

/** States of a run in the catalogue. */
export const runStates = ['running', 'finished', 'failed', 'cancelled', 'interrupted'] as const;
export type RunState = (typeof runStates)[number];

/** How a run ended, as the catalogue keeps it and `drive.watch` replies. */
export interface RunEnding {
  state: RunState;
  /** Null where it never came to an end of its own, or has not ended yet. */
  end: RunEnd | null;
  figures: RunFigures | null;
  error: string | null;
  /** Kind of the failure, where this host saw it. */
  errorCode: ErrorCode | null;
}
