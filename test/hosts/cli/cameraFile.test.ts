// The camera beside a picture: a point of the world goes to the pixel that saw it.
import { expect, it } from 'vitest';
import { cameraFileOf, cameraJson } from '#hosts/cli/cameraFile.ts';

interface Camera {
  fx: number;
  fy: number;
  cx: number;
  cy: number;
  horizontalFovDeg: number;
  verticalFovDeg: number;
  worldFromCamera: number[][];
  kind: string;
}

it('projects what lies ahead, at its edges, and to its left and above', () => {
  const pose = { positionM: [10, 20, 2] as [number, number, number], yawDeg: 90, pitchDeg: 0 };
  const fov = { deg: 90, alongPx: 200 };
  const text = cameraJson({ pose, widthPx: 200, heightPx: 100, fov }, { kind: 'planar' });
  const camera = JSON.parse(text) as Camera;
  expect(camera.kind).toBe('planar');
  expect(camera.fx).toBeCloseTo(100, 9);
  expect(camera.fy).toBe(camera.fx);
  expect([camera.cx, camera.cy]).toEqual([99.5, 49.5]);
  expect(camera.horizontalFovDeg).toBeCloseTo(90, 9);
  expect(camera.verticalFovDeg).toBeCloseTo((2 * Math.atan(0.5) * 180) / Math.PI, 9);
  const project = (world: number[]): number[] => {
    const from = world.map((m, axis) => m - (camera.worldFromCamera[axis]?.[3] ?? NaN));
    const [x = NaN, y = NaN, z = NaN] = [0, 1, 2].map((column) =>
      from.reduce((sum, m, row) => sum + m * (camera.worldFromCamera[row]?.[column] ?? NaN), 0),
    );
    return [camera.cx + (camera.fx * x) / z, camera.cy + (camera.fy * y) / z];
  };
  // It looks north: west is left, half a pixel beyond the centre of the first one at the edge of the field.
  const close = (found: number[], expected: number[]): void => {
    for (const [axis, at] of expected.entries()) expect(found[axis]).toBeCloseTo(at, 9);
  };
  close(project([10, 30, 2]), [99.5, 49.5]);
  close(project([0, 30, 2]), [-0.5, 49.5]);
  close(project([10, 30, 7]), [99.5, -0.5]);
});

it('has no focal length for parallel rays, and a name beside the picture', () => {
  const pose = { positionM: [0, 0, 9] as [number, number, number], yawDeg: 0, pitchDeg: 90 };
  const text = cameraJson({ pose, widthPx: 4, heightPx: 2, fov: null }, { viewHeightM: 8 });
  expect(JSON.parse(text)).toMatchObject({ fx: null, horizontalFovDeg: null, viewHeightM: 8 });
  expect(cameraFileOf('/a.b/view.png')).toBe('/a.b/view.png.camera.json');
});
