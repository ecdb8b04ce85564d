// The native worker's method `sensor.describe`: a sensor as it is simulated, without a scene: the only source of
// directions and footprints outside of a scan.
import { z } from 'zod';
import { type Arrays, checkedColumns, type Columns } from '../columns.ts';
import { sensorRecipeSchema } from './sensorRecipe.ts';

const number = z.number();

/** Largest number of rays in one description. */
export const maxDescribedRays = 1 << 20;

export const describeRequestSchema = z.strictObject({
  sensor: sensorRecipeSchema,
  rangeM: z
    .number()
    .positive()
    .exactOptional()
    .describe('at which the spot is measured; left out: 10'),
  seed: z
    .int()
    .nonnegative()
    .exactOptional()
    .describe("of rays that differ from pulse to pulse, and of the lasers' biases; left out: 0"),
  beamPulses: z
    .int()
    .min(1)
    .max(maxDescribedRays)
    .exactOptional()
    .describe("how many pulses' rays, from pulse 0 on, at most 2^20 rays together; left out: 1"),
});
export type DescribeRequest = z.output<typeof describeRequestSchema>;

/** Weighted, of offsets on the plane 1 m ahead of the sensor; second moments about the beam's axis. */
const beamMomentsSchema = z.strictObject({
  weight: number.describe('sum of weights'),
  left: number,
  up: number,
  leftSquared: number,
  upSquared: number,
  leftUp: number,
});
export type BeamMoments = z.output<typeof beamMomentsSchema>;

export const sensorDescriptionSchema = z.strictObject({
  raysPerPulse: number,
  differsByPulse: z.boolean().describe('whether pulses differ in their rays: random or dithered'),
  beam: beamMomentsSchema.describe('of the rays in the columns; of several pulses the mean'),
  profile: beamMomentsSchema.describe(
    'of the whole spot that they represent: of a stencil, a uniformly lit one',
  ),
  pulsesPerSecond: number,
  pulsesPerScan: number.describe(
    'of a revolution, scan or image; a mean, because revolutions need not hold a whole number',
  ),
  isWholeScan: z
    .boolean()
    .describe(
      'whether the columns hold all pulses of the first scan: they stop before the slot that passes 200,000',
    ),
  rangeM: number,
  spotM: z
    .strictObject({ width: number, height: number })
    .describe(
      'full axes of the spot at rangeM, 2·R·tan(γ/2); of a Gaussian beam those of 1/e² irradiance',
    ),
});
export type SensorDescription = z.output<typeof sensorDescriptionSchema>;

/**
 * The columns that come with it: one row a ray, a pulse of the first scan, a laser.
 * Rays: offsets on the plane 1 m ahead, towards the left of the axis and up, pulse by pulse; weights sum to 1 over a
 * pulse. Pulses by number: ring is the rank of the laser by elevation, from 0; time is simulated time, phase and
 * firing offset included; the axis in the sensor's frame is (cos e·cos a, cos e·sin a, sin e), without pointing
 * error; the reported azimuth goes in steps of the sensor's encoder. Lasers by ring: with a mirror the elevation is
 * that of the emitter, of an image that of the middle of the pixels' row; the range bias is drawn once
 * (noise.laserBiasSigmaM).
 */
export const descriptionColumns = {
  ray_left: 'f64',
  ray_up: 'f64',
  ray_weight: 'f64',
  pulse_ring: 'u16',
  pulse_time_ns: 'i64',
  pulse_azimuth_rad: 'f64',
  pulse_elevation_rad: 'f64',
  pulse_reported_azimuth_rad: 'f64',
  laser_ring: 'u16',
  laser_elevation_rad: 'f64',
  laser_azimuth_offset_rad: 'f64',
  laser_firing_offset_ns: 'i64',
  laser_range_bias_m: 'f64',
} as const;

export type SensorDescriptionColumns = Arrays<typeof descriptionColumns>;

/** The columns of a reply, checked. @throws UnderstoryError 'protocol' where a column is missing or of another type */
export function describedColumns(columns: Columns): SensorDescriptionColumns {
  return checkedColumns(columns, descriptionColumns);
}

/** Every object of the request by the name that the native reader has for its fields. */
export const describeObjects = { describeRequest: describeRequestSchema } as const;
