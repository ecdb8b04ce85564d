// The metrics of a run.
import { z } from 'zod';

const number = z.number();
const whole = z.int().nonnegative();
/** Not known of a run from a bundle. */
const ofMachine = number.nullable();

/** Metrics of the machine, which differ between equal runs. */
const machineShape = {
  wallSeconds: ofMachine.describe(
    'from the first tick to the last byte on disk; building apart, pauses left out',
  ),
  realTimeFactor: ofMachine.describe('simulated time over wallSeconds'),
  buildSeconds: ofMachine.describe('wall time of building the scene'),
  peakRssMB: ofMachine.describe('most memory of the run process'),
  coreSeconds: ofMachine.describe(
    'user and system time of the run process and its worker over wallSeconds',
  ),
  planMedianMs: ofMachine.describe(
    'wall time of planning again: costs taken over, A*, corners cut',
  ),
  planP95Ms: ofMachine.describe('the same, 95th percentile'),
  planMostMs: ofMachine.describe('the same, maximum'),
};

/** Metrics that equal runs have in common; those of a later version are left out. */
const driveShape = {
  simSeconds: number,
  ticks: whole,
  pulses: whole,
  points: whole,
  goalReached: z.boolean(),
  distanceToGoalM: number,
  collisions: whole,
  collidedWith: z.array(z.string().max(500)).describe('names of the instances that were run into'),
  pathLengthM: number,
  clearanceM: number
    .nullable()
    .exactOptional()
    .describe(
      'smallest distance between hull and obstacle, 0 after a collision; null: never nearer than 10 m; left out: not known',
    ),
  mapErrorShare: number
    .nullable()
    .exactOptional()
    .describe(
      'share of the known cells of the last cost map whose cost is wrong about obstacles; null: none is known',
    ),
  shortestLengthM: number.describe('straight line from start to goal'),
  energyJ: number,
  groundCoverLengthM: number.describe(
    'length of the path that led through ground cover (not solid, not ground)',
  ),
  meanPositionErrorM: number,
  plans: whole,
  lateCommands: whole
    .exactOptional()
    .describe('ticks whose command came late; left out: no external planner drove'),
};

export const driveMetricsSchema = z.object(driveShape);
export type DriveMetrics = z.output<typeof driveMetricsSchema>;

export const runMetricsSchema = z.object({ ...machineShape, ...driveShape });
export type RunMetrics = z.output<typeof runMetricsSchema>;

export const machineMetrics = Object.keys(machineShape) as (keyof typeof machineShape)[];
