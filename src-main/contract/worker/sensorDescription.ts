// The native worker's method `sensor.describe`: a sensor as it is simulated, for pictures and checks.
import type { Columns } from '../columns.ts';
import { UnderstoryError } from '../errors.ts';
import type { SensorRecipe } from './recipe.ts';

/**
 * `sensor.describe`: DescribeRequest -> SensorDescription, with SensorDescriptionColumns. The sensor as it is
 * simulated, without a scene: the only source of directions and footprints outside of a scan.
 */
export interface DescribeRequest {
  sensor: SensorRecipe;
  /** At which the spot is measured; left out: 10. */
  rangeM?: number;
  /** Of rays that differ from pulse to pulse, and of the lasers' biases; left out: 0. */
  seed?: number;
  /** How many pulses' rays, from pulse 0 on, at most 2^20 rays together; left out: 1. */
  beamPulses?: number;
}

/** Weighted, of offsets on the plane 1 m ahead of the sensor; second moments about the beam's axis. */
export interface BeamMoments {
  /** Sum of weights. */
  weight: number;
  left: number;
  up: number;
  leftSquared: number;
  upSquared: number;
  leftUp: number;
}

export interface SensorDescription {
  raysPerPulse: number;
  /** Whether pulses differ in their rays: random or dithered. */
  differsByPulse: boolean;
  /** Of the rays in the columns; of several pulses the mean. */
  beam: BeamMoments;
  /** Of the whole spot that they stand for: of a stencil, a uniformly lit one. */
  profile: BeamMoments;
  pulsesPerSecond: number;
  /** Of a revolution, scan or image; a mean, because revolutions need not hold a whole number. */
  pulsesPerScan: number;
  /** Whether the columns hold all pulses of the first scan: they stop before the slot that passes 200,000. */
  isWholeScan: boolean;
  rangeM: number;
  /** Full axes of the spot at rangeM, 2·R·tan(γ/2); of a Gaussian beam those of 1/e² irradiance. */
  spotM: { width: number; height: number };
}

/** The columns that come with it: one row a ray, a pulse of the first scan, a laser. */
const sensorDescriptionColumns = {
  /** Offsets on the plane 1 m ahead, towards the left of the axis and up; pulse by pulse. */
  ray_left: Float64Array,
  ray_up: Float64Array,
  /** Sums to 1 over a pulse. */
  ray_weight: Float64Array,
  /** Pulses by number. Ring: rank of the laser by elevation, from 0. */
  pulse_ring: Uint16Array,
  /** Simulated time, phase and firing offset included. */
  pulse_time_ns: BigInt64Array,
  /** Axis in the sensor's frame: (cos e·cos a, cos e·sin a, sin e). Without pointing error. */
  pulse_azimuth_rad: Float64Array,
  pulse_elevation_rad: Float64Array,
  /** As the sensor reports it: in steps of its encoder. */
  pulse_reported_azimuth_rad: Float64Array,
  /** Lasers by ring. */
  laser_ring: Uint16Array,
  /** With a mirror: of the emitter; of an image: of the middle of the pixels' row. */
  laser_elevation_rad: Float64Array,
  laser_azimuth_offset_rad: Float64Array,
  laser_firing_offset_ns: BigInt64Array,
  /** Constant error of each laser, drawn once (noise.laserBiasSigmaM). */
  laser_range_bias_m: Float64Array,
} as const;

export type SensorDescriptionColumns = {
  [Name in keyof typeof sensorDescriptionColumns]: InstanceType<
    (typeof sensorDescriptionColumns)[Name]
  >;
};

/** What came over a channel. @throws UnderstoryError 'protocol' where a column is missing or of another type */
export function describedColumns(columns: Columns): SensorDescriptionColumns {
  for (const [name, ArrayOf] of Object.entries(sensorDescriptionColumns)) {
    if (columns[name] instanceof ArrayOf) continue;
    throw new UnderstoryError('protocol', `the description came without a right column '${name}'`);
  }
  // Why the cast: what was just looked at, name by name.
  return columns as unknown as SensorDescriptionColumns;
}
