// Which columns a drive asks the worker for, and where they go, no more, since each costs time in the
// worker, in the pipe and on disk: autonomy gets its own as arrays; what is recorded is packed by the
// worker and never looked at here; a screen gets a sample.
import {
  cleanColumns,
  pointColumns,
  type ReturnColumnName,
  type ReturnTable,
} from '#contract/columns.ts';
import type { SceneRecipe, SensorRecipe } from '#contract/worker/recipe.ts';

/** Columns that the vehicle's computer gets to see: no truth among them. */
export const autonomyColumns: ReturnColumnName[] = [
  'time_ns',
  'return_no',
  'x_sensor_m',
  'y_sensor_m',
  'z_sensor_m',
];

/** What decides which columns there is something to record in: a scene, and the sensors of a rig. */
export interface Recorded {
  recipe: Pick<SceneRecipe, 'materials'>;
  sensors: readonly { recipe: SensorRecipe }[];
}

/** Columns that every recording keeps: points in the world, what the sensor reports, ground truth. */
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

/**
 * Columns that a recording keeps of all sensors of a rig: with them clean ranges and points where one of
 * them has noise, stamps where one has a clock of its own, and mirrors passed where there are any.
 */
export function recordedColumnsOf({ recipe, sensors }: Recorded): ReturnColumnName[] {
  const columns = [...recordedColumns];
  if (sensors.some((sensor) => hasRangeNoise(sensor.recipe))) {
    columns.push(...cleanColumns);
  }
  if (sensors.some((sensor) => hasOwnStamps(sensor.recipe))) columns.push('sensor_time_ns');
  if (recipe.materials.some(({ surface }) => surface?.kind === 'mirror')) columns.push('mirrors');
  return columns;
}

/** What recordedColumnsOf leaves out where it says nothing new: it then follows from what is kept. */
export const impliedColumns = [
  'x_clean_m',
  'y_clean_m',
  'z_clean_m',
  'sensor_time_ns',
  'mirrors',
] as const satisfies ReturnColumnName[];

/** A table of a run's recording with the columns that it implies, where they were not recorded. */
export function withImpliedColumns(table: ReturnTable, rows: number): ReturnTable {
  const { x_m, y_m, z_m, time_ns } = table;
  return {
    ...(x_m && { x_clean_m: x_m }),
    ...(y_m && { y_clean_m: y_m }),
    ...(z_m && { z_clean_m: z_m }),
    ...(time_ns && { sensor_time_ns: time_ns }),
    mirrors: new Uint8Array(rows),
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
function hasRangeNoise({ noise, quantisation }: SensorRecipe): boolean {
  if ((quantisation?.rangeM ?? 0) > 0) return true;
  if (noise === undefined) return false;
  const { laserBiasSigmaM, rangeSigmaM, incidenceSigmaM, rangeSigmaPerM, signalSigmaM } = noise;
  const sigmas = [laserBiasSigmaM, rangeSigmaM, incidenceSigmaM, rangeSigmaPerM, signalSigmaM];
  return sigmas.some((sigma) => sigma > 0);
}

/** Whether its stamps differ from simulated time. */
function hasOwnStamps({ clock }: SensorRecipe): boolean {
  return clock !== undefined && (clock.offsetNs !== 0 || clock.driftPpm !== 0);
}
