// The records of ticks and scans in a recording, as JSON: what RECORDING.md calls /understory/tick and /understory/scan.
// Fields of later versions are left out.
import { z } from 'zod';

const whole = z.int().nonnegative();
const vector3 = z.tuple([z.number(), z.number(), z.number()]);
const pose = z.object({
  positionM: vector3,
  rotation: z.tuple([z.number(), z.number(), z.number(), z.number()]),
});

export const activities = ['waiting', 'driving', 'stuck', 'arrived', 'given-up'] as const;

export const scanMessageSchema = z.object({
  tick: whole,
  sensor: whole,
  fromNs: whole,
  toNs: whole,
  pulses: whole,
  returns: whole,
  hash: z.string().max(128),
  rows: whole,
  firstPulse: z
    .string()
    .regex(/^\d{1,20}$/, 'expected a whole number')
    .describe("absolute number to which the points' field `pulse` is added, in decimal"),
});
/** The record of a scan, before its points. */
export type ScanMessage = z.output<typeof scanMessageSchema>;

export const tickMessageSchema = z.object({
  tick: whole,
  timeNs: whole,
  truth: pose,
  estimate: pose,
  speedMPerS: z.number(),
  distanceToGoalM: z.number(),
  collisions: whole,
  activity: z.enum(activities),
  gpsM: vector3
    .nullable()
    .exactOptional()
    .describe(
      'the last position fix of the tick, as the estimator got it; null: there was none; left out: not known',
    ),
  sensorPoses: z.array(pose).describe('worldFromSensor at the end of the tick, by sensor'),
  steps: z
    .object({
      timesNs: z.array(z.number()).describe('rising, from the start of the tick on'),
      poses: z
        .array(pose)
        .describe('worldFromVehicle, as many; sensors keep their places on the vehicle'),
    })
    .refine(
      ({ timesNs, poses }) => timesNs.length === poses.length,
      'expected a time for each pose',
    )
    .exactOptional()
    .describe(
      'the poses between which those of pulses lie, before the end of the tick; left out: not known (earlier versions)',
    ),
});
