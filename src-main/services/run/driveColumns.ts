// Which columns a drive asks the worker for: what autonomy reads and what a recording keeps, no more,
// since each costs time in the worker, in the pipe and on disk.
import type { ReturnColumnName, ReturnTable } from '#contract/columns.ts';

/** Columns that the vehicle's computer gets to see: no truth among them. */
const autonomyColumns: ReturnColumnName[] = [
  'time_ns',
  'return_no',
  'x_sensor_m',
  'y_sensor_m',
  'z_sensor_m',
];

/** Columns that a recording keeps: points in the world, what the sensor reports, ground truth. */
const recordedColumns: ReturnColumnName[] = [
  'time_ns',
  'pulse',
  'ring',
  'azimuth_rad',
  'elevation_rad',
  'return_no',
  'n_returns',
  'range_m',
  'intensity',
  'beam_share',
  'x_m',
  'y_m',
  'z_m',
  'object_id',
  'class_id',
  'incidence_rad',
  'true_range_m',
];

/**
 * The columns of every scan of a drive, whether it is recorded or not: the hash of a scan is over them,
 * and a run that is simulated again without a recording must give the same hashes.
 */
export const driveColumns = [...new Set([...recordedColumns, ...autonomyColumns])];

/** The part of a scan's table that autonomy gets. */
export function forAutonomy(table: ReturnTable): ReturnTable {
  return pick(table, autonomyColumns);
}

/** The part of a scan's table that is recorded. */
export function forRecording(table: ReturnTable): ReturnTable {
  return pick(table, recordedColumns);
}

function pick(table: ReturnTable, names: ReturnColumnName[]): ReturnTable {
  return Object.fromEntries(names.map((name) => [name, table[name]]));
}
