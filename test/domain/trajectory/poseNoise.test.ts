// Errors of reported poses against the closed form of a Gauss-Markov process of first order: stationary, covariance
// sigma² exp(−t / correlation), independent axes and legs.
import { expect, it } from 'vitest';
import { rotationFromDegrees } from '#domain/shared/pose.ts';
import { withPoseNoise } from '#domain/trajectory/poseNoise.ts';
import { stationaryAt, trajectoryOf, type Trajectory } from '#domain/trajectory/trajectory.ts';

const pose = {
  positionM: [3, 4, 5] as [number, number, number],
  rotation: rotationFromDegrees(30, 10, -5),
};
const leg = (seconds: number, trajectory = stationaryAt(pose)) => {
  return { name: 'leg', fromNs: 0, toNs: seconds * 1e9, trajectory };
};
const position = { position: { sigma: 0.05, correlationS: 1 } };

/** Errors of the reported positions along an axis, at the samples of the process. */
function errors({ reported, time_ns: times }: Trajectory, axis: 0 | 1 | 2): number[] {
  return Array.from(
    { length: times.length },
    (_, row) => (reported?.[7 * row + axis] ?? NaN) - pose.positionM[axis],
  );
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

it('has the variance and the correlation of the process', () => {
  // 5,000 correlation times; 20 samples in each.
  const noisy = withPoseNoise(leg(5_000), position, 7, 0);
  const x = errors(noisy, 0);
  const y = errors(noisy, 1);
  expect(x.length).toBeGreaterThanOrEqual(100_000);
  const variance = mean(x.map((value) => value * value)) / 0.05 ** 2;
  // Squares have the covariance 2 exp(−2t), so their mean over T correlation times the variance 2/T: 5 sigma are 0.1.
  expect(Math.abs(variance - 1)).toBeLessThan(0.1);
  const lagged = mean(x.slice(0, -20).map((value, row) => value * (x[row + 20] ?? 0))) / 0.05 ** 2;
  expect(Math.abs(lagged - Math.exp(-1))).toBeLessThan(0.1);
  const crossed = mean(x.map((value, row) => value * (y[row] ?? 0))) / 0.05 ** 2;
  expect(Math.abs(crossed)).toBeLessThan(0.1);
});

it('turns the reported attitude by angles of that size about the axes of the platform', () => {
  const sigma = 0.002;
  const noisy = withPoseNoise(leg(2_000), { attitude: { sigma, correlationS: 1 } }, 7, 0);
  const [qx, qy, qz, qw] = pose.rotation;
  const squares: number[] = [];
  for (let row = 0; row < noisy.time_ns.length; row += 1) {
    const [, , , rx = 0, ry = 0, rz = 0, rw = 0] = noisy.reported?.subarray(7 * row) ?? [];
    // Half the angle is the arc cosine of the product; its square is the sum of three.
    const half = Math.acos(Math.min(1, Math.abs(qx * rx + qy * ry + qz * rz + qw * rw)));
    squares.push((2 * half) ** 2);
  }
  // Three axes over 2,000 correlation times: 5 sigma are 5 sqrt(2 / 6,000) = 0.091.
  expect(Math.abs(mean(squares) / (3 * sigma ** 2) - 1)).toBeLessThan(0.091);
});

it('has a standard deviation for each axis', () => {
  const sigma: [number, number, number] = [0.01, 0, 0.05];
  const noisy = withPoseNoise(leg(2_000), { position: { sigma, correlationS: 1 } }, 7, 0);
  for (const axis of [0, 1, 2] as const) {
    const variance = mean(errors(noisy, axis).map((value) => value * value));
    // 2,000 correlation times: 5 sigma are 5 sqrt(2 / 2,000) = 0.158.
    expect(Math.abs(variance - sigma[axis] ** 2)).toBeLessThanOrEqual(0.158 * sigma[axis] ** 2);
  }
});

it('depends on seed and leg, keeps the true poses, and adds nothing where there is no error', () => {
  const trajectory = trajectoryOf([0, 1e9], [pose, { ...pose, positionM: [4, 4, 5] }]);
  const first = withPoseNoise(leg(1, trajectory), position, 7, 0);
  expect(withPoseNoise(leg(1, trajectory), position, 7, 0)).toEqual(first);
  expect(withPoseNoise(leg(1, trajectory), position, 8, 0).reported).not.toEqual(first.reported);
  expect(withPoseNoise(leg(1, trajectory), position, 7, 1).reported).not.toEqual(first.reported);
  expect(first.x_m[10]).toBeCloseTo(3.5, 12);
  expect(withPoseNoise(leg(1, trajectory), {}, 7, 0)).toBe(trajectory);
});
