// Where the pulses of a table began and their directions, from the poses of their sensor.
import type { ReturnTable } from '#contract/columns.ts';
import type { Pose } from '#contract/host/run.ts';
import { rotate } from '#domain/shared/pose.ts';

/**
 * The table with the columns beam_origin_* and beam_direction_*, where it has times and angles; others stay as they
 * are. An origin is the range of its echo before it, so that it is the laser's own; without an echo it is the sensor's.
 * @param poseAt worldFromSensor at a time in nanoseconds
 */
export function withBeams(
  table: ReturnTable,
  rows: number,
  poseAt: (timeNs: number) => Pose,
): ReturnTable {
  const { time_ns, azimuth_rad, elevation_rad, beam_origin_x_m } = table;
  if (!time_ns || !azimuth_rad || !elevation_rad || beam_origin_x_m) return table;
  const column = (): Float32Array<ArrayBuffer> => new Float32Array(rows);
  const origins = [column(), column(), column()] as const;
  const directions = [column(), column(), column()] as const;
  const points = [table.x_m, table.y_m, table.z_m] as const;
  let knownNs = time_ns[0] ?? 0n;
  let pose = poseAt(Number(knownNs));
  for (let row = 0; row < rows; row++) {
    const timeNs = time_ns[row] ?? 0n;
    if (timeNs !== knownNs) pose = poseAt(Number(timeNs));
    knownNs = timeNs;
    const [azimuth, elevation] = [azimuth_rad[row] ?? 0, elevation_rad[row] ?? 0];
    const level = Math.cos(elevation);
    const { positionM, rotation } = pose;
    const direction = rotate(rotation, [
      level * Math.cos(azimuth),
      level * Math.sin(azimuth),
      Math.sin(elevation),
    ]);
    const rangeM = table.range_m?.[row] ?? NaN;
    for (const axis of [0, 1, 2] as const) {
      const laserM = (points[axis]?.[row] ?? NaN) - rangeM * direction[axis];
      origins[axis][row] = Number.isNaN(laserM) ? positionM[axis] : laserM;
      directions[axis][row] = direction[axis];
    }
  }
  return {
    ...table,
    beam_origin_x_m: origins[0],
    beam_origin_y_m: origins[1],
    beam_origin_z_m: origins[2],
    beam_direction_x: directions[0],
    beam_direction_y: directions[1],
    beam_direction_z: directions[2],
  };
}
