// Beams of recorded points: where each laser was, by closed forms.
import { expect, it } from 'vitest';
import type { Pose } from '#contract/host/run.ts';
import { withBeams } from '#domain/sensor/beamsOfPoses.ts';
import { compose, rotate, rotationFromDegrees } from '#domain/shared/pose.ts';

const pose: Pose = { positionM: [10, -4, 2], rotation: rotationFromDegrees(40, -12, 7) };
const [azimuth, elevation, rangeM] = [0.7, -0.2, 25];
const direction = rotate(pose.rotation, [
  Math.cos(elevation) * Math.cos(azimuth),
  Math.cos(elevation) * Math.sin(azimuth),
  Math.sin(elevation),
]);
/** Place of a laser 0.5 m to the left of the sensor's middle and 0.25 m above it. */
const laser = compose(pose, { positionM: [0, 0.5, 0.25], rotation: [0, 0, 0, 1] }).positionM;

function tableOf(range: number) {
  const point = (axis: 0 | 1 | 2) => Float32Array.of(laser[axis] + range * direction[axis]);
  return {
    time_ns: BigInt64Array.of(5n),
    azimuth_rad: Float32Array.of(azimuth),
    elevation_rad: Float32Array.of(elevation),
    range_m: Float32Array.of(range),
    x_m: point(0),
    y_m: point(1),
    z_m: point(2),
  };
}

it("a beam begins at its laser, which has a lever arm, and at the sensor's place without an echo", () => {
  for (const [range, origin] of [
    [rangeM, laser],
    [Number.NaN, pose.positionM],
  ] as const) {
    const table = withBeams(tableOf(range), 1, () => pose);
    const { beam_origin_x_m, beam_origin_y_m, beam_origin_z_m } = table;
    for (const [axis, column] of [beam_origin_x_m, beam_origin_y_m, beam_origin_z_m].entries()) {
      // Single precision of 35 m, three roundings.
      expect(Math.abs((column?.[0] ?? NaN) - (origin[axis] ?? NaN))).toBeLessThan(1e-5);
    }
    expect(table.beam_direction_z?.[0]).toBeCloseTo(direction[2], 6);
  }
});
