// The inertial unit against closed forms: rest on a slope, and a level circle at constant speed.
import { expect, it } from 'vitest';
import type { Pose } from '#contract/host/run.ts';
import { quaternionOf, rotationBetween } from '#domain/shared/pose.ts';
import { createImu, standardGravityMPerS2 } from '#domain/truth/imu.ts';

const stepNs = 1e7;

/** One second in ticks of 100 ms with a reading every 20 ms, as a drive reads it. */
function readingsOf(poseAt: (timeS: number) => Pose) {
  const imu = createImu();
  return Array.from({ length: 10 }, (_, tick) => {
    const fromNs = tick * 1e8;
    const timesNs = Array.from({ length: 11 }, (_, step) => fromNs + step * stepNs);
    const compass = [0, 2, 4, 6, 8].map((step) => ({
      timeNs: fromNs + step * stepNs,
      headingRad: 1,
      rollRad: 0.1,
      pitchRad: -0.2,
    }));
    return imu.read(compass, { timesNs, poses: timesNs.map((ns) => poseAt(ns / 1e9)) });
  }).flat();
}

it('measures gravity alone at rest on a slope', () => {
  const [pitchRad, rollRad] = [0.1, -0.2];
  const rotation = quaternionOf({ yawRad: 2, pitchRad, rollRad });
  const readings = readingsOf(() => ({ positionM: [3, 4, 5], rotation }));
  expect(readings).toHaveLength(50);
  // The z axis of the world in a frame turned by Rz·Ry(pitch)·Rx(roll): the last row of the rotation.
  const up = [
    -Math.sin(pitchRad),
    Math.sin(rollRad) * Math.cos(pitchRad),
    Math.cos(rollRad) * Math.cos(pitchRad),
  ];
  for (const { specificForceMPerS2, angularRadPerS } of readings) {
    for (const [axis, share] of up.entries()) {
      expect(specificForceMPerS2[axis]).toBeCloseTo(standardGravityMPerS2 * share, 9);
      expect(angularRadPerS[axis]).toBeCloseTo(0, 12);
    }
  }
  expect(readings[0]?.rotation).toEqual(quaternionOf({ yawRad: 1, rollRad: 0.1, pitchRad: -0.2 }));
});

it('measures v·ω to the left on a circle, and the turning rate', () => {
  const [speedMPerS, rateRadPerS] = [2, 0.5];
  const radiusM = speedMPerS / rateRadPerS;
  const readings = readingsOf((timeS) => {
    const yawRad = rateRadPerS * timeS;
    return {
      positionM: [radiusM * Math.sin(yawRad), -radiusM * Math.cos(yawRad), 0],
      rotation: quaternionOf({ yawRad, pitchRad: 0, rollRad: 0 }),
    };
  });
  // Mean over 20 ms of chords of 10 ms: along the track the mean lags by 15 ms of turning, v·ω·sin(0.0075), and the
  // size is that of an arc's chord, less by a part in (0.5·0.02)²/24.
  const expected = speedMPerS * rateRadPerS;
  for (const { angularRadPerS, specificForceMPerS2 } of readings.slice(2)) {
    const [forward, left, up] = specificForceMPerS2;
    expect(angularRadPerS[2]).toBeCloseTo(rateRadPerS, 9);
    expect(Math.abs(left - expected)).toBeLessThan(1e-4 * expected);
    expect(Math.abs(forward)).toBeLessThan(0.0076 * expected);
    expect(up).toBeCloseTo(standardGravityMPerS2, 9);
  }
});

it('gives the shorter rotation between two attitudes, in the frame of the first', () => {
  const from = quaternionOf({ yawRad: 3, pitchRad: 0.2, rollRad: 0.1 });
  const to = quaternionOf({ yawRad: -3, pitchRad: 0.2, rollRad: 0.1 });
  const [x, y, z] = rotationBetween(from, to);
  expect(Math.hypot(x, y, z)).toBeCloseTo(2 * Math.PI - 6, 9);
  const [nx, ny, nz, nw] = to;
  const [mx, my, mz] = rotationBetween(from, [-nx, -ny, -nz, -nw]);
  for (const [other, value] of [mx, my, mz].map((m, i) => [m, [x, y, z][i]] as const)) {
    expect(other).toBeCloseTo(value ?? NaN, 9);
  }
  expect(rotationBetween(from, from)).toEqual([0, 0, 0]);
});
