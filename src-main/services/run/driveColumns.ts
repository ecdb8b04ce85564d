// Which columns a drive asks the worker for, and where they go, no more, since each costs time in the
// worker, in the pipe and on disk: autonomy gets its own as arrays; what is recorded is packed by the
// worker and never looked at here; a screen gets a sample.
import type { ReturnColumnName } from '#contract/columns.ts';

/** Columns that the vehicle's computer gets to see: no truth among them. */
export const autonomyColumns: ReturnColumnName[] = [
  'time_ns',
  'return_no',
  'x_sensor_m',
  'y_sensor_m',
  'z_sensor_m',
];

/** Columns that a recording keeps: points in the world, what the sensor reports, ground truth. */
export const recordedColumns: ReturnColumnName[] = [
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
 * The columns that the hash of every scan of a drive is over, whether it is recorded or not: a run that is
 * simulated again without a recording must give the same hashes.
 */
export const hashedColumns = [...new Set([...recordedColumns, ...autonomyColumns])];

/** Columns of the points that a screen shows. */
export const viewColumns: ReturnColumnName[] = ['x_m', 'y_m', 'z_m', 'intensity', 'class_id'];
