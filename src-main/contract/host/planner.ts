// The exchange of a drive and an external planner: the address of the planner, and the bodies of the calls on it.
// PROTOCOL.md ("An external planner") has the rules. Positions are relative to `originM`; nothing here is truth.
import { z } from 'zod';
import { finite, positive } from '../documents/quantities.ts';
import type { OriginM } from '../worldOrigin.ts';
import type { Pose } from './run.ts';

/** The version that both sides name in `planner.begin`. */
export const plannerProtocol = 1;

/** Calls of a drive on its planner: PlannerBegin -> plannerHello; PlannerStep with its columns -> plannerCommand. */
export const plannerMethods = { begin: 'planner.begin', step: 'planner.step' } as const;
/** Event, from the drive: PlannerEnd. Then the connection is closed. */
export const plannerEndEvent = 'planner.end';

/** Where a planner listens. */
export type PlannerAddress = { host: string; port: number } | { path: string };

/** Null where it is none, or not of this machine. */
export function parsePlannerAddress(text: string): PlannerAddress | null {
  const path = /^unix:(?:\/\/)?(\/.+)$/s.exec(text)?.[1];
  if (path !== undefined) return { path };
  const tcp = /^tcp:\/\/(127(?:\.\d{1,3}){3}|localhost|\[::1\]):(\d{1,5})$/.exec(text);
  const port = Number(tcp?.[2]);
  if (tcp === null || port < 1 || port > 65_535) return null;
  return { host: (tcp[1] ?? '').replace(/[[\]]/g, ''), port };
}

/** The field `planner` of `drive.start`. */
export const plannerOrderSchema = z.strictObject({
  address: z
    .string()
    .refine(
      (text) => parsePlannerAddress(text) !== null,
      'expected tcp://HOST:PORT with a host of this machine (127.0.0.1, localhost, [::1]), or unix:PATH with an absolute path',
    )
    .describe('where the planner listens'),
  timeoutS: positive
    .max(3600)
    .default(1)
    .describe('wall time for which each tick waits for the command; then the last one holds'),
  holdS: positive
    .max(3600)
    .default(1)
    .describe('simulated time for which a command holds without another; then the vehicle stops'),
});

/** Body of `planner.begin`. */
export interface PlannerBegin {
  protocol: number;
  /** Understory's version. */
  version: string;
  tickMs: number;
  timeoutS: number;
  holdS: number;
  /** World coordinates of the point that positions are relative to. */
  originM: OriginM;
  startM: [number, number];
  startYawRad: number;
  goalM: [number, number];
  goalToleranceM: number;
  /** Simulated time after which the drive ends. */
  missionTimeoutS: number;
  vehicle: {
    lengthM: number;
    widthM: number;
    heightM: number;
    trackWidthM: number;
    /** Limits of commands, either sign. */
    maxSpeedMPerS: number;
    maxYawRateRadPerS: number;
    maxAccelerationMPerS2: number;
  };
  /** In the order of their numbers; `mount` is vehicleFromSensor. */
  sensors: { name: string; mount: Pose }[];
  /** Columns of each cloud, by their names in columns.ts. */
  columns: string[];
}

/** Reply to `planner.begin`. */
export const plannerHelloSchema = z.strictObject({
  protocol: z.int().describe('version that the planner speaks'),
  name: z.string().max(200).optional().describe('of the planner'),
});

/**
 * Body of `planner.step`: what the vehicle knows at the end of a tick. Columns: those of PlannerBegin.columns of every
 * sensor, named NUMBER/COLUMN (`0/x_sensor_m`), one row a return.
 */
export interface PlannerStep {
  tick: number;
  timeNs: number;
  /** Estimated worldFromVehicle. */
  pose: Pose;
  /** Estimated speeds in the vehicle's frame; null before the first fix. */
  twist: { linearMPerS: number[]; angularRadPerS: number[] } | null;
  /** 6 × 6, row by row: x, y, z, then rotations about roll, pitch, heading; null before the first fix. */
  poseCovariance: number[] | null;
  twistCovariance: number[] | null;
  goalM: [number, number];
  /** Position fixes of the tick. */
  fixes: readonly { timeNs: number; positionM: readonly number[] }[];
  /** Readings of the inertial unit in the tick. */
  imu: readonly {
    timeNs: number;
    rotation: readonly number[];
    angularRadPerS: readonly number[];
    specificForceMPerS2: readonly number[];
  }[];
  /** Ticks so far whose command came late. */
  lateCommands: number;
}

/** Reply to `planner.step`. */
export const plannerCommandSchema = z.strictObject({
  speedMPerS: finite.describe('along the heading'),
  yawRateRadPerS: finite.describe('counter-clockwise positive'),
});

/** Body of the event `planner.end`. */
export interface PlannerEnd {
  /** RunEnd; null: the drive failed. */
  end: string | null;
  error: string | null;
}
