// Every view of the real courtyard within 5 million triangles and 300 draw calls: its instances and levels from the
// real worker, 500 seeded cameras, among them some within a crown, close to a wall and high above. What the choice
// says of itself is not believed but counted.
import { Frustum, Matrix4, PerspectiveCamera, Vector3 } from 'three';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uniforms } from '#domain/random/philox.ts';
import { instanceTable, type InstanceTable } from '#renderer/logic/scene/instanceTable.ts';
import {
  createLevelChooser,
  type LodModel,
  type LodView,
} from '#renderer/logic/scene/lodBudget.ts';
import { sceneServices } from './openScene.ts';

const limits = { triangles: 5_000_000, calls: 300 };
const cameras = 500;
const heightPx = 1440;
const verticalFovDeg = 50;

const services = sceneServices();
let table: InstanceTable;
let models: LodModel[];
let names: string[];

beforeAll(async () => {
  const opened = await services.open({ scenario: 'courtyard' });
  table = instanceTable(opened.instances);
  names = opened.contents.models.map(({ name }) => name);
  models = opened.contents.models.map(({ name, levels }, model) => ({
    triangles: levels.map((_, level) => {
      const found = opened.meshes.find(
        ({ chunk }) => chunk.model === model && chunk.level === level,
      );
      return found?.chunk.triangles ?? 0;
    }),
    isCover: name === 'grass',
  }));
  await opened.close();
});
afterAll(() => services.closeAll());

describe('the levels of detail of the courtyard', () => {
  it('keep any view within 5 million triangles and 300 draw calls', () => {
    expect(table.count).toBeGreaterThan(10_000);
    const chooser = createLevelChooser(table);
    let most = 0;
    for (let n = 0; n < cameras; n += 1) {
      const view = cameraAt(n);
      const steps = chooser.choose(view, models, limits);
      let step = steps.next();
      while (step.done !== true) step = steps.next();
      const { levels } = step.value;
      let triangles = 0;
      const calls = new Set<number>();
      const missing: number[] = [];
      for (let row = 0; row < table.count; row += 1) {
        const model = table.modelId[row] ?? 0;
        const level = levels[row] ?? -1;
        if (level < 0) {
          if (models[model]?.isCover !== true && isBefore(view, row)) missing.push(row);
          continue;
        }
        triangles += models[model]?.triangles[level] ?? 0;
        calls.add(100 * model + level);
      }
      expect(triangles, `camera ${n}`).toBeLessThanOrEqual(limits.triangles);
      expect(calls.size, `camera ${n}`).toBeLessThanOrEqual(limits.calls);
      expect(missing, `camera ${n}: trees, walls or ground in sight are left out`).toEqual([]);
      most = Math.max(most, triangles);
    }
    // The test would see nothing if no view came near the limit.
    expect(most).toBeGreaterThan(0.8 * limits.triangles);
  });

  it('would be far beyond it at the finest', () => {
    const finest = table.modelId.reduce(
      (sum, model) => sum + (models[model]?.triangles[0] ?? 0),
      0,
    );
    expect(finest).toBeGreaterThan(20 * limits.triangles);
  });
});

/** Every fifth within a crown, close to a wall, high above, just over the grass, or anywhere. */
function cameraAt(n: number): LodView {
  const [a, b, c, d] = uniforms(1, 4096, 0, n);
  const [e, f] = uniforms(1, 4096, 1, n);
  const within = (from: number, to: number, share: number): number => from + (to - from) * share;
  const x = within(-70, 70, a);
  const y = within(-70, 70, b);
  const eye: [number, number, number] = [x, y, within(0.3, 60, c)];
  const kind = n % 5;
  if (kind === 0) eye.splice(0, 3, ...middleOf(anyOf('tree', a)));
  if (kind === 1) {
    const [wx, wy] = middleOf(anyOf('wall', a));
    eye.splice(0, 3, 0.99 * wx + within(-1, 1, b), 0.99 * wy + within(-1, 1, c), 1.7);
  }
  if (kind === 2) eye[2] = within(80, 600, c);
  if (kind === 3) eye[2] = within(0.1, 1.5, c);
  const yawRad = 2 * Math.PI * d;
  const pitchRad = kind === 2 ? -Math.PI / 2 + 0.6 * e : within(-0.7, 0.4, e);
  const camera = new PerspectiveCamera(verticalFovDeg, within(0.6, 2.6, f), 0.1, 3000);
  camera.up.set(0, 0, 1);
  camera.position.set(...eye);
  const ahead = new Vector3(
    Math.cos(yawRad) * Math.cos(pitchRad),
    Math.sin(yawRad) * Math.cos(pitchRad),
    Math.sin(pitchRad),
  );
  camera.lookAt(ahead.add(camera.position));
  camera.updateMatrixWorld();
  const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  const planes = new Float32Array(24);
  for (const [k, plane] of new Frustum().setFromProjectionMatrix(matrix).planes.entries()) {
    planes.set([...plane.normal.toArray(), plane.constant], 4 * k);
  }
  const pixelsPerRad = heightPx / (2 * Math.tan((verticalFovDeg * Math.PI) / 360));
  return { eyeM: eye, planes, pixelsPerRad };
}

function anyOf(name: string, share: number): number {
  const rows = Array.from(table.modelId, (model, row) => ({ model, row })).filter(({ model }) =>
    names[model]?.startsWith(name),
  );
  return rows[Math.floor(share * rows.length)]?.row ?? 0;
}

function middleOf(row: number): [number, number, number] {
  return [0, 1, 2].map((axis) => table.spheresM[4 * row + axis] ?? 0) as [number, number, number];
}

/** True where the middle of the box is in sight for certain. */
function isBefore({ planes }: LodView, row: number): boolean {
  const middle = middleOf(row);
  return [0, 1, 2, 3, 4, 5].every((plane) => {
    const [x = 0, y = 0, z = 0, distance = 0] = planes.subarray(4 * plane, 4 * plane + 4);
    return x * middle[0] + y * middle[1] + z * middle[2] + distance > 0;
  });
}
