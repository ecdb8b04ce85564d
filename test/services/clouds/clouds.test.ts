// Octrees of logs by the methods of the host, with real files: made once, read by node, and gone from the cache where a
// build fails or room is needed.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CloudNodeColumns, OctreeNodeColumns } from '#contract/host/cloudMethods.ts';
import { createNodeOctrees } from '#hosts/node/nodeOctrees.ts';
import { createExporters } from '#recordings/export/exporters.ts';
import { createLogs } from '#recordings/log/logs.ts';
import { cloudHandlers } from '#services/clouds/cloudHandlers.ts';
import type { CloudPorts } from '#services/clouds/cloudSources.ts';
import type { PointFilePorts } from '#services/clouds/pointFiles.ts';
import type { Handlers } from '#services/handlers.ts';
import {
  originM,
  randomNumbers,
  writeBeams,
  type Beam,
} from '#test/services/learning/beamsOfSite.ts';
import { afterwards } from '#test/support/afterwards.ts';
import { callContext } from '#test/support/context.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const beams = 60_000;
const folder = temporaryFolder();
const log = join(folder, 'ground.log');
const other = join(folder, 'other.log');
/** Nothing of a run or a file of points is asked for here (cloudsOfRuns.test.ts). */
const noRuns = {} as Omit<CloudPorts & PointFilePorts, 'logs' | 'octrees'>;
const logs = createLogs(createExporters({ dataFolder: null }));

/** Straight down on level ground of 40 m × 40 m; one in ten is a miss. */
function ground(seed: number): Beam[] {
  const random = randomNumbers(seed);
  return Array.from({ length: beams }, (_, index) => ({
    origin: [40 * random() - 20, 40 * random() - 20, 3] as const,
    direction: [0, 0, -1] as const,
    rangeM: index % 10 === 0 ? null : 3,
    classId: index % 2,
  }));
}

function openClouds(options: { maxBytes?: number; freeBytes?: number; cache?: string } = {}): {
  clouds: Handlers<'cloud'>;
  cache: string;
  names: () => string[];
} {
  const { maxBytes, freeBytes = 1e12, cache = join(temporaryFolder(), 'octrees') } = options;
  const machine = { freeDiskBytes: () => freeBytes, availableMemoryBytes: () => 1e10 };
  const octrees = createNodeOctrees({
    folder: cache,
    machine,
    ...(maxBytes !== undefined && { maxBytes }),
  });
  afterwards(() => octrees.dispose());
  const names = (): string[] => (existsSync(cache) ? readdirSync(cache) : []);
  return { clouds: cloudHandlers({ logs, octrees, ...noRuns }), cache, names };
}

async function open(clouds: Handlers<'cloud'>, file: string, mayBuild = true) {
  const { reply, columns } = await clouds['cloud.open'](
    { source: { log: file }, mayBuild },
    callContext,
  );
  // Why the cast: the contract has the columns of the reply.
  return { octree: reply.octree, nodes: columns as unknown as OctreeNodeColumns };
}

/** Place and class of each return of a log. */
async function returnsOf(file: string): Promise<string[]> {
  const reader = await logs.open(file);
  const found: string[] = [];
  for await (const { table, beams: rows } of reader.tables()) {
    for (let row = 0; row < rows; row += 1) {
      if (table.state[row] !== 1) continue;
      const [x, y] = [table.origin_x_m[row] ?? NaN, table.origin_y_m[row] ?? NaN];
      found.push([Math.fround(x), Math.fround(y), 0, table.class_id?.[row]].join());
    }
  }
  await reader.close();
  return found;
}

beforeAll(async () => {
  await writeBeams(log, ground(1));
  await writeBeams(other, ground(2));
});

describe('the octree of a log', () => {
  it('has all returns of the log, relative to its origin, with their classes', async () => {
    const { clouds, names } = openClouds();
    const progress: number[] = [];
    const context = {
      ...callContext,
      progress: ({ done, total }: { done: number; total: number }) =>
        void progress.push(done / total),
    };
    expect((await open(clouds, log, false)).octree).toBeNull();
    const { reply, columns } = await clouds['cloud.open'](
      { source: { log }, mayBuild: true },
      context,
    );
    const { octree } = reply;
    const nodes = columns as unknown as OctreeNodeColumns;
    expect(octree).toMatchObject({ points: 54_000, originM, classes: ['none', 'leaf'] });
    expect(progress.at(-1)).toBe(1);
    expect(names()).toEqual([`${octree?.key}.octree`]);

    const found: [number, CloudNodeColumns][] = [];
    const request = { key: octree?.key ?? '', nodes: [...nodes.points.keys()].reverse() };
    await clouds['cloud.nodes'](request, {
      ...callContext,
      chunk: (body, sent) => {
        found.push([(body as { node: number }).node, sent as unknown as CloudNodeColumns]);
        return Promise.resolve();
      },
    });
    expect(found.map(([node]) => node)).toEqual(request.nodes);
    const rows = found.flatMap(([node, { position, class_id: classes, intensity }]) => {
      expect(classes.length).toBe(nodes.points[node]);
      expect(intensity.every((value) => value === 0.5)).toBe(true);
      return [...classes].map((id, row) => [...position.subarray(3 * row, 3 * row + 3), id].join());
    });
    // Why one text: the difference of two lists takes minutes to print.
    expect(rows.sort().join('\n') === (await returnsOf(log)).sort().join('\n')).toBe(true);
  });

  it('is made once, for those that ask meanwhile too, and found by another host', async () => {
    const { clouds, cache, names } = openClouds();
    const [first, second] = await Promise.all([open(clouds, log), open(clouds, log)]);
    expect(second).toEqual(first);
    const [name = ''] = names();
    const before = readFileSync(join(cache, name));
    const again = openClouds({ cache });
    expect(await open(again.clouds, log, false)).toEqual(first);
    expect(readFileSync(join(cache, name)).equals(before)).toBe(true);
  });

  it('is made again where its file is damaged', async () => {
    const { clouds, cache, names } = openClouds();
    const whole = await open(clouds, log);
    const [name = ''] = names();
    truncateSync(join(cache, name), 5000);
    const again = openClouds({ cache });
    expect((await open(again.clouds, log, false)).octree).toBeNull();
    expect(await open(again.clouds, log)).toEqual(whole);
  });

  it('goes when room is needed for others, and what dead processes left', async () => {
    const { clouds, cache, names } = openClouds({ maxBytes: 1_500_000 });
    const first = await open(clouds, log);
    const left = `${'0'.repeat(64)}.octree.4194304-00000000.part`;
    writeFileSync(join(cache, left), '');
    const second = await open(clouds, other);
    expect(names()).toEqual([`${second.octree?.key}.octree`]);
    // It is open: pages that show it go on.
    const request = { key: first.octree?.key ?? '', nodes: [0] };
    expect((await clouds['cloud.nodes'](request, callContext)).reply.nodes).toBe(1);
  });

  it('is refused where the disk has no room, and leaves nothing', async () => {
    const { clouds, names } = openClouds({ freeBytes: 1e6 });
    await expect(open(clouds, log)).rejects.toMatchObject({ code: 'disk-full' });
    expect(names()).toEqual([]);
  });

  it('leaves nothing where it is cancelled, or the log is damaged', async () => {
    const { clouds, names } = openClouds();
    const controller = new AbortController();
    const context = {
      ...callContext,
      signal: controller.signal,
      progress: () => controller.abort(),
    };
    await expect(
      clouds['cloud.open']({ source: { log }, mayBuild: true }, context),
    ).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(names()).toEqual([]);

    mkdirSync(join(folder, 'damaged'));
    const damaged = join(folder, 'damaged', 'a.log');
    const bytes = readFileSync(log);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    writeFileSync(damaged, bytes);
    await expect(open(clouds, damaged)).rejects.toMatchObject({ code: 'corrupt' });
    expect(names()).toEqual([]);
  });

  it('is asked for by its key and nodes that it has', async () => {
    const { clouds } = openClouds();
    const { octree, nodes } = await open(clouds, log);
    const ask = (key: string, node: number) =>
      clouds['cloud.nodes']({ key, nodes: [node] }, callContext);
    await expect(ask('0'.repeat(64), 0)).rejects.toMatchObject({ code: 'not-found' });
    await expect(ask(octree?.key ?? '', nodes.points.length)).rejects.toMatchObject({
      code: 'bad-input',
    });
  });
});
