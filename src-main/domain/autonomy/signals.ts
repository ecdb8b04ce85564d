// Data between a vehicle and the computer that drives it: instrument readings and scans in, wheel
// speeds out. Neither side needs more of the other: no type here can hold truth.
import type { ReturnTable, SensorColumnName, TruthColumnName } from '#contract/columns.ts';
import type { Activity, MapGeometry, Pose } from '#contract/host/run.ts';

/** Wanted speeds of the wheels of the two sides, metres per second, forwards positive. */
export interface WheelCommand {
  leftMPerS: number;
  rightMPerS: number;
}

/** Both sides at rest. */
export const standstill: WheelCommand = { leftMPerS: 0, rightMPerS: 0 };

/** One position fix: the vehicle's origin (on the ground, centre) in the world, noise included. */
export interface GpsFix {
  timeNs: number;
  positionM: [number, number, number];
}

/** One reading of the attitude, noise included: REP-103, heading from east, pitch positive nose down. */
export interface CompassReading {
  timeNs: number;
  headingRad: number;
  rollRad: number;
  pitchRad: number;
}

/** The columns of a return that autonomy gets. The compiler refuses a truth column here. */
export const autonomyColumns = [
  'time_ns',
  'return_no',
  'x_sensor_m',
  'y_sensor_m',
  'z_sensor_m',
] as const satisfies readonly SensorColumnName[];

export type AutonomyColumn = (typeof autonomyColumns)[number];

/**
 * The columns of a return that an external planner gets: autonomy's, and what else a sensor reports in its own frame.
 * Why none in the world's: they are computed with the true pose.
 */
export const plannerColumns = [
  'time_ns',
  'ring',
  'azimuth_rad',
  'elevation_rad',
  'return_no',
  'n_returns',
  'range_m',
  'intensity',
  'x_sensor_m',
  'y_sensor_m',
  'z_sensor_m',
] as const satisfies readonly SensorColumnName[];

export type PlannerColumn = (typeof plannerColumns)[number];

/** Returns as autonomy gets them. A table that has, or may have, a truth column is no such table. */
export type SensorTable = Required<Pick<ReturnTable, AutonomyColumn>> &
  Pick<ReturnTable, PlannerColumn> & { [N in TruthColumnName]?: never };

/** The returns of a sensor in one tick. */
export interface SensorScan {
  /** Index into the sensors given to `createAutonomy`. */
  sensor: number;
  /** Any number of tables. */
  table: SensorTable[];
}

/**
 * Cells of the map that a tick's returns lie in, a row each, in their order: the highest costs by Goodin 2018, eq. 8. Those
 * that would change nothing may be left out. The worker finds them from the columns that a sensor reports and from estimates.
 */
export interface Sightings {
  cell: Uint32Array;
  cost: Uint8Array;
  /** The same of heights less the margin of the tilt. */
  sureCost: Uint8Array;
  /** The same of the returns that may clear the cell; 255: there are none. Null: no cell is cleared. */
  lowCost: Uint8Array | null;
}

/** Instruments of one tick. */
export interface TickReadings {
  /** End of the tick: the time for which the estimate is given. */
  timeNs: number;
  gps: GpsFix[];
  compass: CompassReading[];
}

/** Estimated speeds of the vehicle in its own frame (x forward, y left, z up), and how certain the estimate is. */
export interface MotionEstimate {
  linearMPerS: [number, number, number];
  angularRadPerS: [number, number, number];
  /** 6 × 6, row by row: x, y, z in the world, then the rotations about roll, pitch and heading; m², m·rad, rad². */
  poseCovariance: number[];
  /** 6 × 6, row by row: linearMPerS, then angularRadPerS. */
  twistCovariance: number[];
}

/** Everything autonomy decides in one tick. */
export interface TickOutput {
  /** To be applied in the tick after the next: `commandDelayTicks` after the tick of the scan. */
  command: WheelCommand;
  activity: Activity;
  /** Estimated worldFromVehicle at `timeNs`. */
  estimate: Pose;
  /** The same of its motion; null before the first fix. */
  motion: MotionEstimate | null;
  /** From the estimate to the goal, straight. */
  distanceToGoalM: number;
  /** The path to follow, from the vehicle to the goal; null: the one given before remains. */
  path: { xM: Float32Array; yM: Float32Array } | null;
  mapChanged: boolean;
}

/** The cost map as exported: 0–100, 255 unknown; row by row from the south-west corner, x fastest. */
export interface CostMapView {
  geometry: MapGeometry;
  cost: Uint8Array;
}

/** The command computed from the scan of tick k is applied in tick k + commandDelayTicks, always. */
export const commandDelayTicks = 2;
