// Distances between two clouds by the methods of the host, with real files, against the law of points at random.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  maxCloudDistanceM,
  type CloudNodeColumns,
  type OctreeHead,
  type OctreeNodeColumns,
} from '#contract/host/cloudMethods.ts';
import { createNodeOctrees } from '#hosts/node/nodeOctrees.ts';
import { createExporters } from '#recordings/export/exporters.ts';
import { createLogs } from '#recordings/log/logs.ts';
import { cloudHandlers } from '#services/clouds/cloudHandlers.ts';
import type { CloudPorts } from '#services/clouds/cloudSources.ts';
import type { PointFilePorts } from '#services/clouds/pointFiles.ts';
import type { HandlerContext } from '#services/handlers.ts';
import { randomNumbers, writeBeams, type Beam } from '#test/services/learning/beamsOfSite.ts';
import { afterwards } from '#test/support/afterwards.ts';
import { callContext } from '#test/support/context.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const edgeM = 40;
const noRuns = {} as Omit<CloudPorts & PointFilePorts, 'logs' | 'octrees'>;

/** Returns straight below on level ground, at random places. */
function ground(count: number, seed: number, heightM = 0): Beam[] {
  const random = randomNumbers(seed);
  return Array.from({ length: count }, () => ({
    origin: [edgeM * random(), edgeM * random(), 3 + heightM] as const,
    direction: [0, 0, -1] as const,
    rangeM: 3,
  }));
}

async function logOf(beams: readonly Beam[]): Promise<string> {
  const file = join(temporaryFolder(), 'ground.log');
  await writeBeams(file, beams);
  return file;
}

function openClouds(options: { maxBytes?: number; memoryBytes?: number } = {}) {
  const { maxBytes, memoryBytes = 1e10 } = options;
  const cache = join(temporaryFolder(), 'octrees');
  const octrees = createNodeOctrees({
    folder: cache,
    machine: { freeDiskBytes: () => 1e12, availableMemoryBytes: () => memoryBytes },
    ...(maxBytes !== undefined && { maxBytes }),
  });
  afterwards(() => octrees.dispose());
  const logs = createLogs(createExporters({ dataFolder: null }));
  const clouds = cloudHandlers({ logs, octrees, ...noRuns });

  async function open(from: string, to: string | null, context: HandlerContext = callContext) {
    const { reply, columns } = await clouds['cloud.open'](
      { source: { log: from }, mayBuild: true, ...(to !== null && { distancesTo: { log: to } }) },
      context,
    );
    if (reply.octree === null) throw new Error('it was to be built');
    // Why the cast: the contract has the columns of the reply.
    return { head: reply.octree, nodes: columns as unknown as OctreeNodeColumns };
  }

  async function pointsOf(head: OctreeHead, nodes: OctreeNodeColumns): Promise<CloudNodeColumns[]> {
    const found: CloudNodeColumns[] = [];
    const chunk = (_: unknown, columns: unknown): Promise<void> =>
      Promise.resolve(void found.push(columns as CloudNodeColumns));
    const request = { key: head.key, nodes: [...nodes.points.keys()] };
    await clouds['cloud.nodes'](request, { ...callContext, chunk });
    return found;
  }

  return { clouds, open, pointsOf, names: () => readdirSync(cache) };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

describe('distances of two clouds', () => {
  it('follow the law of points at random, at the same points as without', async () => {
    const [from, to] = [await logOf(ground(20_000, 1)), await logOf(ground(40_000, 2))];
    const { open, pointsOf } = openClouds();
    const plain = await open(from, null);
    const { head, nodes } = await open(from, to);
    expect(nodes).toEqual(plain.nodes);
    const [without, found] = [await pointsOf(plain.head, nodes), await pointsOf(head, nodes)];
    const distances = found.flatMap(({ distance }) => [...(distance ?? [])]);
    expect(distances.length).toBe(20_000);
    expect(found.map(({ distance: _, ...others }) => others)).toEqual(without);

    // The nearest of points of density ρ is farther than r by exp(−π ρ r²): its mean is 1 / (2 √ρ), its mean square 1 / (π ρ).
    const density = 40_000 / edgeM ** 2;
    const [meanM, squareM2] = [0.5 / Math.sqrt(density), 1 / (Math.PI * density)];
    const deviationM = Math.sqrt(squareM2 - meanM ** 2);
    expect(Math.abs(meanOf(distances) - meanM)).toBeLessThan((5 * deviationM) / Math.sqrt(20_000));
    expect(head.distances?.found).toBe(20_000);
    expect(head.distances?.meanM).toBeCloseTo(meanOf(distances), 9);
    expect(head.distances?.rmsM).toBeCloseTo(
      Math.sqrt(meanOf(distances.map((distanceM) => distanceM ** 2))),
      9,
    );
  });

  it('are zero to itself, and the height between equal clouds', async () => {
    const log = await logOf(ground(5000, 3));
    const higher = await logOf(ground(5000, 3, 0.002));
    const { open } = openClouds();
    expect((await open(log, log)).head.distances).toMatchObject({ found: 5000, rmsM: 0 });
    const { meanM = NaN, rmsM = NaN } = (await open(log, higher)).head.distances ?? {};
    expect(meanM).toBeCloseTo(0.002, 6);
    expect(rmsM).toBeCloseTo(0.002, 6);
  });

  it('are none beyond the limit', async () => {
    const log = await logOf(ground(1000, 4));
    const far = await logOf(ground(1000, 4, maxCloudDistanceM + 1));
    const { open, pointsOf } = openClouds();
    const { head, nodes } = await open(log, far);
    expect(head.distances).toMatchObject({ found: 0, meanM: 0, rmsM: 0 });
    const found = await pointsOf(head, nodes);
    expect(found.every(({ distance }) => distance?.every(Number.isNaN) === true)).toBe(true);
  });

  it('leave nothing where they are cancelled while they are measured', async () => {
    const [from, to] = [await logOf(ground(5000, 5)), await logOf(ground(5000, 6))];
    const { open, names } = openClouds();
    const keys = [(await open(from, null)).head.key, (await open(to, null)).head.key];
    const controller = new AbortController();
    const context = {
      ...callContext,
      signal: controller.signal,
      progress: () => controller.abort(),
    };
    await expect(open(from, to, context)).rejects.toMatchObject({ code: 'cancelled' });
    expect(names().sort()).toEqual(keys.map((key) => `${key}.octree`).sort());
  });

  it('keep the first cloud where the second one needs its room, and open it again where it went', async () => {
    const [from, to] = [await logOf(ground(5000, 7)), await logOf(ground(5000, 8))];
    // Room for one octree.
    const { open, names } = openClouds({ maxBytes: 150_000 });
    expect((await open(from, to)).head.distances).toMatchObject({ found: 5000 });
    expect(names().length).toBe(1);
    await expect(open(to, from)).rejects.toMatchObject({ code: 'not-found' });
    expect((await open(to, from)).head.distances).toMatchObject({ found: 5000 });
  });

  it('are refused where the memory has no room for the second cloud', async () => {
    const [from, to] = [await logOf(ground(5000, 9)), await logOf(ground(5000, 10))];
    const { open } = openClouds({ memoryBytes: 70_000 });
    await expect(open(from, to)).rejects.toMatchObject({ code: 'unsupported' });
  });
});
