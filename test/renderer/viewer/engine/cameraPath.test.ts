// The path of a camera: eased, of a fixed duration, and over at its end.
import { Vector3 } from 'three';
import { expect, test } from 'vitest';
import { createCameraPath } from '#renderer/viewer/engine/camera/cameraPath.ts';

const from = { positionM: new Vector3(0, 0, 0), targetM: new Vector3(1, 0, 0) };
const to = { positionM: new Vector3(10, 0, 0), targetM: new Vector3(1, 20, 0) };

test('leads from one viewpoint to another and ends', () => {
  const path = createCameraPath();
  expect(path.end()).toBeNull();
  path.begin(from, to);
  expect(path.end()).toBe(to);
  const half = path.advance(0.175);
  expect(half?.positionM.x).toBeCloseTo(5, 9);
  expect(half?.targetM.y).toBeCloseTo(10, 9);
  const last = path.advance(1);
  expect(last?.positionM).toEqual(to.positionM);
  expect(last?.targetM).toEqual(to.targetM);
  expect(path.end()).toBeNull();
  expect(path.advance(0.1)).toBeNull();
});

test('begins and ends slowly', () => {
  const path = createCameraPath();
  path.begin(from, to);
  const steps = Array.from({ length: 10 }, () => path.advance(0.035)?.positionM.x ?? 0);
  const lengths = steps.map((x, index) => x - (steps[index - 1] ?? 0));
  expect(lengths.indexOf(Math.max(...lengths))).toBeGreaterThan(2);
  expect(lengths[0]).toBeLessThan(Math.max(...lengths) / 3);
  expect(lengths.at(-1)).toBeLessThan(Math.max(...lengths) / 3);
});

test('can be cancelled', () => {
  const path = createCameraPath();
  path.begin(from, to);
  path.cancel();
  expect(path.end()).toBeNull();
  expect(path.advance(0.1)).toBeNull();
});
