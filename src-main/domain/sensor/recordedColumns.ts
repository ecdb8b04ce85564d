// Which columns of its scans a recording holds, and which its hashes are over: no more than are needed, since
// each costs time in the worker, in the pipe and on disk.
import {
  cleanColumns,
  pointColumns,
  type ReturnColumnName,
  type ReturnTable,
} from '#contract/columns.ts';
import { hasMotions } from '#contract/worker/motions.ts';
import { autonomyColumns } from '#domain/autonomy/signals.ts';
import type { ModelRecipe, SceneRecipe } from '#contract/worker/recipe.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';

/** Input for the choice of columns: a scene, and the sensors of a rig. */
export interface Recorded {
  recipe: Pick<SceneRecipe, 'materials' | 'models' | 'motions' | 'wind'>;
  sensors: readonly { recipe: SensorRecipe }[];
}

/** Columns of every recording: points in the world, what the sensor reports, ground truth. */
export const recordedColumns: ReturnColumnName[] = [
  'time_ns',
  'pulse',
  'ring',
  'azimuth_rad',
  'elevation_rad',
  'return_no',
  'n_returns',
  ...pointColumns,
  'incidence_rad',
  'true_range_m',
];

/** Ground truth of learned models: the element or triangle, its part, the beams that observed it. */
const learnedColumns = [
  'triangle_id',
  'learned_part',
  'support',
] as const satisfies ReturnColumnName[];

/** Ground truth of scenes with motions or wind. */
const motionColumns = [
  'is_moving',
  'velocity_x_m_per_s',
  'velocity_y_m_per_s',
  'velocity_z_m_per_s',
  'radial_velocity_m_per_s',
] as const satisfies ReturnColumnName[];

/**
 * Columns that a recording has of all sensors of a rig: with them clean ranges and points where one of
 * them has noise, time stamps where one has a clock of its own, counts of mirrors and velocities where there are any.
 */
export function recordedColumnsOf({ recipe, sensors }: Recorded): ReturnColumnName[] {
  const columns = [...recordedColumns];
  if (sensors.some((sensor) => hasRangeNoise(sensor.recipe)) || recipe.models.some(isLearned)) {
    columns.push(...cleanColumns);
  }
  if (sensors.some((sensor) => hasOwnStamps(sensor.recipe))) columns.push('sensor_time_ns');
  if (recipe.materials.some(({ surface }) => surface?.kind === 'mirror')) columns.push('mirrors');
  if (recipe.models.some(isLearned)) columns.push(...learnedColumns);
  if (hasMotions(recipe) || recipe.wind) columns.push(...motionColumns);
  return columns;
}

/** Columns that recordedColumnsOf leaves out because they follow from the recorded ones. */
export const impliedColumns = [
  'x_clean_m',
  'y_clean_m',
  'z_clean_m',
  'sensor_time_ns',
  'mirrors',
  'is_moving',
  'velocity_x_m_per_s',
  'velocity_y_m_per_s',
  'velocity_z_m_per_s',
] as const satisfies ReturnColumnName[];

/** A table of a run's recording with ground truth, and the columns that it implies where they were not recorded. */
export function withImpliedColumns(table: ReturnTable, rows: number): ReturnTable {
  const { x_m, y_m, z_m, time_ns } = table;
  return {
    ...(x_m && { x_clean_m: x_m }),
    ...(y_m && { y_clean_m: y_m }),
    ...(z_m && { z_clean_m: z_m }),
    ...(time_ns && { sensor_time_ns: time_ns }),
    mirrors: new Uint8Array(rows),
    is_moving: new Uint8Array(rows),
    velocity_x_m_per_s: new Float32Array(rows),
    velocity_y_m_per_s: new Float32Array(rows),
    velocity_z_m_per_s: new Float32Array(rows),
    ...table,
  };
}

/**
 * The columns that the hash of every scan of a drive is over, whether it is recorded or not: a run that is
 * simulated again without a recording must give the same hashes.
 */
export function hashedColumnsOf(recorded: Recorded): ReturnColumnName[] {
  return [...new Set([...recordedColumnsOf(recorded), ...autonomyColumns])];
}

/** Whether reported ranges can differ from clean ones. Folds are in both. */
function hasRangeNoise({ banks, noise, quantisation }: SensorRecipe): boolean {
  if (banks.some(({ rangeOffsetsM = [] }) => rangeOffsetsM.some((offset) => offset !== 0)))
    return true;
  if ((quantisation?.rangeM ?? 0) > 0) return true;
  if (noise === undefined) return false;
  const { laserBiasSigmaM, rangeSigmaM, incidenceSigmaM, rangeSigmaPerM, signalSigmaM } = noise;
  const sigmas = [laserBiasSigmaM, rangeSigmaM, incidenceSigmaM, rangeSigmaPerM, signalSigmaM];
  return sigmas.some((sigma) => sigma > 0);
}

/** Whether a model is learned: its ranges have noise of their own. */
function isLearned({ source }: ModelRecipe): boolean {
  return source.kind === 'mesh' && source.format === 'learned';
}

/** Whether its stamps differ from simulated time. */
function hasOwnStamps({ clock }: SensorRecipe): boolean {
  return clock !== undefined && (clock.offsetNs !== 0 || clock.driftPpm !== 0);
}
