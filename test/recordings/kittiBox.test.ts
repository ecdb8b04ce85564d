// Labels of boxes as the tracking benchmark of KITTI has them (Geiger et al. 2012).
import { expect, it } from 'vitest';
import { kittiBox } from '#recordings/export/kittiPoses.ts';
import { rotationFromDegrees } from '#domain/shared/pose.ts';

const car = (yawDeg: number, positionM: [number, number, number]) => ({
  name: 'car-a',
  class: 'car',
  pose: { positionM, rotation: rotationFromDegrees(yawDeg, 0, 0) },
  sizeM: [4.4, 1.8, 1.6] as [number, number, number],
});
const valuesOf = (label: string): { type: string; numbers: number[] } => {
  const [type = '', ...numbers] = label.split(' ');
  return { type, numbers: numbers.map(Number) };
};

it('a car ahead to the right that drives away', () => {
  const sensor = {
    positionM: [0, 0, 2] as [number, number, number],
    rotation: rotationFromDegrees(0, 0, 0),
  };
  const { type, numbers } = valuesOf(kittiBox(car(0, [10, -3, 0.8]), sensor));
  const [truncated, occluded, alpha, left, top, right, bottom, h, w, l, x, y, z, turn] = numbers;
  expect(type).toBe('car');
  expect([truncated, occluded, left, top, right, bottom]).toEqual([-1, 3, -1, -1, -1, -1]);
  expect([h, w, l]).toEqual([1.6, 1.8, 4.4]);
  // The middle of its bottom: 3 m to the right, 2 m below the sensor, 10 m ahead.
  expect([x, y, z]).toEqual([3, 2, 10]);
  expect(turn).toBeCloseTo(-Math.PI / 2, 6);
  expect(alpha).toBeCloseTo(-Math.PI / 2 - Math.atan2(3, 10), 6);
});

it('a sensor that is turned sees it turned', () => {
  const sensor = {
    positionM: [5, 5, 0] as [number, number, number],
    rotation: rotationFromDegrees(90, 0, 0),
  };
  const { numbers } = valuesOf(kittiBox(car(0, [5, 25, 0.8]), sensor));
  // Straight ahead, heading to the right.
  expect(numbers.slice(10, 13)).toEqual([0, 0, 20]);
  expect(numbers[13]).toBeCloseTo(0, 6);
});
