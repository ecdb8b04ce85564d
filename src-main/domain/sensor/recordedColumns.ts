// Which columns of its scans a recording holds, and which its hashes are over: no more than are needed, since
// each costs time in the worker, in the pipe and on disk.
import {
  cleanColumns,
  type ColumnArray,
  columnTypes,
  pointColumns,
  returnColumns,
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

/** Columns that some recordings have. */
interface MoreColumns {
  columns: readonly ReturnColumnName[];
  isRecorded: (rig: Recorded) => boolean;
  /** Their values where a recording has none: those of another column, or 0. Left out: such a value is unknown. */
  implied?: Partial<Record<ReturnColumnName, ReturnColumnName | 0>>;
}

const moreColumns: readonly MoreColumns[] = [
  {
    columns: cleanColumns,
    isRecorded: ({ recipe, sensors }) =>
      sensors.some((sensor) => hasRangeNoise(sensor.recipe)) || recipe.models.some(isLearned),
    implied: { x_clean_m: 'x_m', y_clean_m: 'y_m', z_clean_m: 'z_m' },
  },
  {
    columns: ['sensor_time_ns'],
    isRecorded: ({ sensors }) => sensors.some((sensor) => hasOwnStamps(sensor.recipe)),
    implied: { sensor_time_ns: 'time_ns' },
  },
  {
    columns: ['mirrors'],
    isRecorded: ({ recipe }) => recipe.materials.some(({ surface }) => surface?.kind === 'mirror'),
    implied: { mirrors: 0 },
  },
  {
    columns: ['triangle_id', 'learned_part', 'support'],
    isRecorded: ({ recipe }) => recipe.models.some(isLearned),
  },
  {
    columns: [
      'is_moving',
      'velocity_x_m_per_s',
      'velocity_y_m_per_s',
      'velocity_z_m_per_s',
      'radial_velocity_m_per_s',
    ],
    isRecorded: ({ recipe }) => hasMotions(recipe) || recipe.wind !== undefined,
    implied: {
      is_moving: 0,
      velocity_x_m_per_s: 0,
      velocity_y_m_per_s: 0,
      velocity_z_m_per_s: 0,
    },
  },
];

/**
 * Columns that a recording has of all sensors of a rig: with them clean ranges and points where one of
 * them has noise, time stamps where one has a clock of its own, counts of mirrors and velocities where there are any.
 */
export function recordedColumnsOf(rig: Recorded): ReturnColumnName[] {
  const more = moreColumns.filter(({ isRecorded }) => isRecorded(rig));
  return [...recordedColumns, ...more.flatMap(({ columns }) => columns)];
}

// Why the cast: Object.entries loses the names.
const implied = moreColumns.flatMap((more) => Object.entries(more.implied ?? {})) as [
  ReturnColumnName,
  ReturnColumnName | 0,
][];

/** Columns that recordedColumnsOf leaves out because they follow from the recorded ones. */
export const impliedColumns = implied.map(([name]) => name);

/** A table of a run's recording with ground truth, and the columns that it implies where they were not recorded. */
export function withImpliedColumns(table: ReturnTable, rows: number): ReturnTable {
  const columns = implied.flatMap(([name, from]): [string, ColumnArray][] => {
    const values = from === 0 ? new columnTypes[returnColumns[name].type](rows) : table[from];
    return values === undefined ? [] : [[name, values]];
  });
  // Why the cast: Object.fromEntries loses the names.
  return { ...(Object.fromEntries(columns) as ReturnTable), ...table };
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
