import { expect, test } from 'vitest';
import { attitudeOf } from '#domain/shared/pose.ts';
import { slowMotion } from '#services/bench/slowSensor.ts';

test('a pitched sensor moves level along its heading', () => {
  const [motion] = slowMotion(
    { positionM: [1, 2, 60], yawRad: Math.PI / 2, pitchRad: Math.PI / 4 },
    1,
    1e9,
  );
  const last = motion?.poses.at(-1);
  expect(last?.positionM[0]).toBeCloseTo(1, 9);
  expect(last?.positionM[1]).toBeGreaterThan(3.9);
  expect(last?.positionM[2]).toBe(60);
  for (const pose of motion?.poses ?? []) {
    const { yawRad, pitchRad, rollRad } = attitudeOf(pose.rotation);
    expect(yawRad).toBeCloseTo(Math.PI / 2, 6);
    expect(pitchRad).toBeCloseTo(Math.PI / 4, 6);
    expect(rollRad).toBeCloseTo(0, 6);
  }
});
