// A drive over the surface of a learned model: wheels follow its slope, and its wall stops the vehicle.
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { assetsFolder } from '#hosts/packageFolders.ts';
import { createDocuments, type LoadedScenario } from '#services/documents/documents.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { learnedPly, type LearnedTriangles } from '#test/physics/learnedPly.ts';
import { digestOf, execute, orderFor } from './realRun.ts';
import { flatGround, placed, scenario } from '#test/support/documents.ts';

vi.setConfig({ testTimeout: 60_000 });

const risePerM = 0.08;

/** A slope along x over [-20, 20] m, and a wall across it at x = 5, 2 m high. */
function site(): LearnedTriangles {
  const groundM = (x: number): number => risePerM * x;
  const corner = (x: number, y: number): [number, number, number] => [x, y, groundM(x)];
  const foot = groundM(5);
  return {
    verticesM: [
      ...[corner(-20, -20), corner(20, -20), corner(20, 20), corner(-20, 20)],
      ...([
        [5, -6, foot],
        [5, 6, foot],
        [5, 6, foot + 2],
        [5, -6, foot + 2],
      ] as const),
    ],
    triangles: [
      [0, 1, 2],
      [0, 2, 3],
      [4, 5, 6],
      [4, 6, 7],
    ],
  };
}

const slope = (goalM: [number, number]): string =>
  scenario({
    models: { site: { kind: 'learned', file: 'site.ply', material: 'grey' } },
    ground: { ...flatGround(200), zM: -8 },
    instances: [placed('site', [0, 0, 0])],
    sensors: [{ name: 'lidar', sensor: 'vlp-16', mount: { positionM: [0, 0, 2] } }],
    mission: { startM: [-6, 0], goalM, goalToleranceM: 1, timeoutS: 30 },
  });

/** Compiled for a drive; a sensor that sees nothing lets the vehicle drive straight on. */
async function loadedSite(goalM: [number, number]): Promise<LoadedScenario> {
  const files = { 'site.ply': learnedPly([], site()), 'scene.understory.yaml': slope(goalM) };
  const folder = temporaryFolder(files);
  const documents = createDocuments({ files: createNodeFiles({ assetsFolder }) });
  const loaded = await documents.compile(join(folder, 'scene.understory.yaml'), {}, null);
  const { compiled } = loaded;
  const sensors = compiled.sensors.map((sensor) => ({
    ...sensor,
    recipe: { ...sensor.recipe, minRangeM: 0, maxRangeM: 0.01 },
  }));
  return { ...loaded, compiled: { ...compiled, sensors } };
}

describe('a drive over a learned model', () => {
  it('follows the slope of its surface to the goal', async () => {
    const loaded = await loadedSite([3, 0]);
    const order = orderFor(loaded, temporaryFolder());
    const { outcome, seen } = await execute(order, loaded.heights);
    expect(outcome.metrics).toMatchObject({ goalReached: true, collisions: 0 });
    expect(seen.ticks.length).toBeGreaterThan(30);
    for (const { truth } of seen.ticks) {
      const [x, , z] = truth.positionM;
      // The surface is a plane: its nodes and what lies between them are exact in single precision.
      expect(z).toBeCloseTo(risePerM * x, 4);
    }
  });

  it('runs into its wall once, and no farther', async () => {
    const loaded = await loadedSite([12, 0]);
    const order = orderFor(loaded, temporaryFolder(), { seconds: 12 });
    const { outcome, seen } = await execute(order, loaded.heights);
    const { metrics } = outcome;
    expect(metrics.goalReached).toBe(false);
    expect(metrics.collidedWith).toEqual(['site']);
    expect(metrics.collisions).toBeGreaterThanOrEqual(1);
    const front = loaded.compiled.scenario.vehicle.lengthM / 2;
    for (const { truth } of seen.ticks) {
      expect(truth.positionM[0] + front).toBeLessThan(5.01);
    }
    expect(Math.max(...seen.ticks.map(({ truth }) => truth.positionM[0]))).toBeGreaterThan(3);
  });

  it('is the same again, byte for byte', async () => {
    const loaded = await loadedSite([3, 0]);
    const digests = [];
    for (const threads of [1, 2]) {
      const order = orderFor(loaded, temporaryFolder(), { seconds: 1, threads });
      await execute(order, loaded.heights);
      digests.push(await digestOf(order.recordingFile as string));
    }
    expect(digests[1]).toBe(digests[0]);
  });
});
