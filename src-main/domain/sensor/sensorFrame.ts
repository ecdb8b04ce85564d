// Points of a table in the frame of their sensor, each at the time of its own pulse: range along the reported axis.
import type { ReturnColumnName, ReturnTable } from '#contract/columns.ts';

/** Columns that are left out in the sensor's frame: places and directions in the world beside the point itself. */
export const worldOnlyColumns: readonly ReturnColumnName[] = [
  ...(['x_clean_m', 'y_clean_m', 'z_clean_m'] as const),
  ...(['hit_x_m', 'hit_y_m', 'hit_z_m', 'normal_x', 'normal_y', 'normal_z'] as const),
  ...(['beam_origin_x_m', 'beam_origin_y_m', 'beam_origin_z_m'] as const),
  ...(['beam_direction_x', 'beam_direction_y', 'beam_direction_z'] as const),
];

/** Columns that `inSensorFrame` needs where x_m, y_m and z_m are asked for. */
export const sensorPointColumns = [
  'x_sensor_m',
  'y_sensor_m',
  'z_sensor_m',
] as const satisfies readonly ReturnColumnName[];

/**
 * The table with x_m, y_m and z_m in the sensor's frame: x_sensor_m, y_sensor_m, z_sensor_m where they are there, else
 * range along the reported axis, in which offsets of lasers from the sensor's origin are missing.
 */
export function inSensorFrame(table: ReturnTable, rows: number): ReturnTable {
  const { x_sensor_m, y_sensor_m, z_sensor_m } = table;
  if (x_sensor_m && y_sensor_m && z_sensor_m) {
    return { ...table, x_m: x_sensor_m, y_m: y_sensor_m, z_m: z_sensor_m };
  }
  const points = pointsOf(table, rows);
  return points === null ? table : { ...table, x_m: points[0], y_m: points[1], z_m: points[2] };
}

type Points = readonly [
  Float32Array<ArrayBuffer>,
  Float32Array<ArrayBuffer>,
  Float32Array<ArrayBuffer>,
];

function pointsOf(
  { azimuth_rad, elevation_rad, range_m }: ReturnTable,
  rows: number,
): Points | null {
  if (!azimuth_rad || !elevation_rad || !range_m) return null;
  const points: Points = [new Float32Array(rows), new Float32Array(rows), new Float32Array(rows)];
  for (let row = 0; row < rows; row++) {
    const [azimuth, elevation] = [azimuth_rad[row] ?? 0, elevation_rad[row] ?? 0];
    const range = range_m[row] ?? NaN;
    const level = range * Math.cos(elevation);
    points[0][row] = level * Math.cos(azimuth);
    points[1][row] = level * Math.sin(azimuth);
    points[2][row] = range * Math.sin(elevation);
  }
  return points;
}
