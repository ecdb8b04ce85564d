// sensor_msgs/LaserScan, which drivers of planar scanners publish, as a cloud: each range is a pulse in the plane of its
// frame at its own time. Ranges that are infinite, NaN or outside of the limits are pulses without a return (REP 117).
import type { SourceCloud, TimeOptions } from '#services/ports/logSources.ts';
import { filled } from '#domain/shared/filledArrays.ts';
import { decodeRos, type RosType } from '../ros/schemas.ts';
import { sinceBase, type StampLike } from './cloudMessage.ts';

export const scanType = 'sensor_msgs/msg/LaserScan' satisfies RosType;

interface LaserScan {
  header: { stamp: StampLike; frame_id: string };
  angle_min: number;
  angle_increment: number;
  /** Seconds between two ranges; 0 where the driver does not state it. */
  time_increment: number;
  range_min: number;
  range_max: number;
  ranges: Float32Array;
  /** As many, or none. */
  intensities: Float32Array;
}

/** Stamp of a message. @throws UnderstoryError 'corrupt' */
export function stampOfScan(bytes: Uint8Array): StampLike {
  return decodeRos<LaserScan>(scanType, bytes).header.stamp;
}

/** @param times of the request: its field 'none' leaves the stamp alone. @throws UnderstoryError 'corrupt' */
export function cloudOfScan(
  bytes: Uint8Array,
  sweep: number,
  baseNs: bigint,
  { field }: TimeOptions,
): SourceCloud {
  const scan = decodeRos<LaserScan>(scanType, bytes);
  const { header, ranges, intensities, range_min: minM, range_max: maxM } = scan;
  const points = ranges.length;
  const stampNs = sinceBase(header.stamp, baseNs);
  const each = (value: (angleRad: number, rangeM: number) => number): Float64Array =>
    filled(new Float64Array(points), (index) => {
      const rangeM = ranges[index] ?? NaN;
      const isReturn = rangeM >= minM && rangeM <= maxM;
      return isReturn ? value(scan.angle_min + index * scan.angle_increment, rangeM) : NaN;
    });
  const hasTimes = scan.time_increment > 0 && field !== 'none';
  return {
    sweep,
    stampNs,
    frameId: header.frame_id,
    points,
    xM: each((angleRad, rangeM) => rangeM * Math.cos(angleRad)),
    yM: each((angleRad, rangeM) => rangeM * Math.sin(angleRad)),
    zM: each(() => 0),
    intensity: intensities.length === points ? Float32Array.from(intensities) : null,
    laser: new Uint16Array(points),
    timeNs: hasTimes
      ? filled(new Float64Array(points), (index) => stampNs + index * scan.time_increment * 1e9)
      : null,
    timeField: hasTimes ? { name: 'time_increment', unit: 's' } : null,
    classId: null,
    isOrganised: true,
  };
}
