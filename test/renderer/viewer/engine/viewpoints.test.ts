// Viewpoints: what keys, modes and boxes make of where a camera is.
import { Box3, PerspectiveCamera, Vector3 } from 'three';
import { expect, test } from 'vitest';
import {
  aboard,
  approached,
  behind,
  carried,
  fitting,
  fromAbove,
  shifted,
  tilted,
  turned,
  type Viewpoint,
} from '#renderer/viewer/engine/camera/viewpoints.ts';
import { onScreen, pixelsPerRad } from '#renderer/viewer/engine/camera/viewSpace.ts';

/** Rounding in double precision, over lengths of at most 100 m. */
const roundingM = 1e-9;

function viewpoint(): Viewpoint {
  return { positionM: new Vector3(-30, -40, 20), targetM: new Vector3(1, 2, 3) };
}

function distanceM({ positionM, targetM }: Viewpoint): number {
  return positionM.distanceTo(targetM);
}

test('approaching keeps target and direction, and scales the distance', () => {
  const before = viewpoint();
  const after = approached(before, 0.85);
  expect(after.targetM).toEqual(before.targetM);
  expect(distanceM(after)).toBeCloseTo(0.85 * distanceM(before), 9);
  const direction = ({ positionM, targetM }: Viewpoint): Vector3 =>
    positionM.clone().sub(targetM).normalize();
  expect(direction(after).distanceTo(direction(before))).toBeLessThan(roundingM);
});

test('a shift is level, and right and ahead are at right angles on the ground', () => {
  const before = viewpoint();
  const right = shifted(before, 1, 0).positionM.sub(before.positionM);
  const ahead = shifted(before, 0, 1).positionM.sub(before.positionM);
  expect(Math.abs(right.z)).toBeLessThan(roundingM);
  expect(Math.abs(ahead.z)).toBeLessThan(roundingM);
  expect(Math.abs(right.dot(ahead))).toBeLessThan(roundingM);
  // Ahead is towards the target: its part along the view is positive.
  expect(ahead.dot(before.targetM.clone().sub(before.positionM))).toBeGreaterThan(0);
  expect(right.length()).toBeCloseTo(0.06 * distanceM(before), 9);
});

test('from above, right on screen is east: north is up', () => {
  const from = fromAbove(new Vector3(5, 6, 0), 40);
  const right = shifted(from, 1, 0).positionM.sub(from.positionM).normalize();
  expect(right.distanceTo(new Vector3(1, 0, 0))).toBeLessThan(roundingM);
});

test('turning keeps the distance, and stops short of straight above and far below', () => {
  const before = viewpoint();
  expect(distanceM(turned(before, 0.3, 0.2))).toBeCloseTo(distanceM(before), 9);
  let up = before;
  let down = before;
  for (let key = 0; key < 100; key += 1) {
    up = turned(up, 0, 0.07);
    down = turned(down, 0, -0.07);
  }
  const fromUpRad = ({ positionM, targetM }: Viewpoint): number =>
    positionM
      .clone()
      .sub(targetM)
      .angleTo(new Vector3(0, 0, 1));
  const angles = [fromUpRad(up), fromUpRad(down)].sort((a, b) => a - b);
  expect(angles[0]).toBeGreaterThan(0.05);
  expect(angles[0]).toBeLessThan(0.05 + 0.07);
  expect(angles[1]).toBeLessThan(1.6);
  expect(angles[1]).toBeGreaterThan(1.6 - 0.07);
});

test('only a view from straight above is tilted', () => {
  const before = viewpoint();
  expect(tilted(before, new Vector3(-1, -1, 1))).toEqual(before);
  const after = tilted(fromAbove(new Vector3(1, 2, 3), 10), new Vector3(-1, -1, 1));
  const side = 10 / Math.sqrt(3);
  expect(after.positionM.distanceTo(new Vector3(1 - side, 2 - side, 3 + side))).toBeLessThan(1e-4);
});

test.each([new Vector3(-1, -1, 0.3), new Vector3(0, -1e-3, 1), new Vector3(1, 0, 0.5)])(
  'all corners of a framed box are on screen, from %o',
  (backwards) => {
    const camera = new PerspectiveCamera(50, 1.6, 0.1, 3000);
    camera.up.set(0, 0, 1);
    const box = new Box3(new Vector3(-20, 3, 0), new Vector3(14, 30, 9));
    const { positionM, targetM } = fitting(camera, box, backwards);
    camera.position.copy(positionM);
    camera.lookAt(targetM);
    for (const x of [box.min.x, box.max.x]) {
      for (const y of [box.min.y, box.max.y]) {
        for (const z of [box.min.z, box.max.z]) {
          const seen = onScreen(camera, [x, y, z]);
          expect(Math.abs(seen?.x ?? 9)).toBeLessThan(1);
          expect(Math.abs(seen?.y ?? 9)).toBeLessThan(1);
        }
      }
    }
  },
);

test('a place behind the camera is not on screen', () => {
  const camera = new PerspectiveCamera(50, 1, 0.1, 100);
  camera.position.set(0, 0, 0);
  camera.lookAt(1, 0, 0);
  expect(onScreen(camera, [10, 0, 0])).not.toBeNull();
  expect(onScreen(camera, [-10, 0, 0])).toBeNull();
});

test('behind a vehicle that heads north, the camera is south of it and looks ahead', () => {
  const { positionM, targetM } = behind({ positionM: new Vector3(1, 2, 0), yawRad: Math.PI / 2 });
  expect(positionM.distanceTo(new Vector3(1, 2 - 13, 5.5))).toBeLessThan(roundingM);
  expect(targetM.distanceTo(new Vector3(1, 2 + 5, 0))).toBeLessThan(roundingM);
});

test('pixels of a radian, from the field of view', () => {
  const camera = new PerspectiveCamera(90, 1, 0.1, 100);
  expect(pixelsPerRad(camera, 600)).toBeCloseTo(300, 9);
});

test('a camera that goes with a vehicle keeps its place beside it, however the vehicle turns', () => {
  const before = { positionM: new Vector3(3, 4, 1), yawRad: 0.4 };
  const after = { positionM: new Vector3(13, -6, 2), yawRad: 2.1 };
  for (const of of [behind, aboard]) {
    const moved = carried(of(before), before, after);
    expect(moved.positionM.distanceTo(of(after).positionM)).toBeLessThan(roundingM);
    expect(moved.targetM.distanceTo(of(after).targetM)).toBeLessThan(roundingM);
  }
});

test('from on board one looks ahead, from above the ground', () => {
  const { positionM, targetM } = aboard({ positionM: new Vector3(1, 2, 3), yawRad: Math.PI / 2 });
  expect(positionM.z).toBeGreaterThan(4);
  expect(
    targetM
      .clone()
      .sub(positionM)
      .normalize()
      .distanceTo(new Vector3(0, 1, 0)),
  ).toBeLessThan(roundingM);
});
