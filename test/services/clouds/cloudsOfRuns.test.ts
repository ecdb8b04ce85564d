// The octree of a run: all returns of its recording, of all sensors or of one, in the frame of the scene; and the runs
// that have none.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { Columns } from '#contract/columns.ts';
import { driveHere } from '#test/support/commandLine.ts';
import { callContext } from '#test/support/context.ts';
import { flatGround, placed, scenario } from '#test/support/documents.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { openHost, type OpenHost } from '#test/support/host.ts';
import { openedCloud, pointsOfTables } from './openedCloud.ts';

const origin: [number, number, number] = [500_000, 4_000_000, 300];
const lidar = (name: string, xM: number) => ({
  name,
  sensor: 'vlp-16',
  mount: { positionM: [xM, 0, 2] as [number, number, number] },
});
const scene = scenario({
  origin,
  models: { box: { kind: 'box', sizeM: [2, 2, 2], material: 'grey' } },
  ground: { ...flatGround(200), centreM: [500_000, 4_000_000] },
  instances: [placed('box', [500_006, 4_000_003, 301], { class: 'tree' })],
  sensors: [lidar('front', 1), lidar('rear', -1)],
  mission: { startM: [500_000, 4_000_000], startYawDeg: 90, goalM: [500_000, 4_000_030] },
});
const folder = temporaryFolder({ 'scene.yaml': scene });
const dataFolder = join(folder, 'data');
const octreeFolder = join(dataFolder, 'octrees');
let runId: string;

beforeAll(async () => {
  runId = await driveHere(folder, join(folder, 'scene.yaml'), '--seconds=1');
});

async function recorded({ handlers }: OpenHost, sensor?: string): Promise<Columns[]> {
  const tables: Columns[] = [];
  const chunk = (_: unknown, table: Columns): Promise<void> => {
    tables.push(table);
    return Promise.resolve();
  };
  const request = { runId, isFollowing: false, ...(sensor && { sensor }) };
  await handlers['runs.clouds'](request, { ...callContext, chunk });
  return tables;
}

it('has all returns of its recording, of all sensors or of one, each under its own key', async () => {
  const host = await openHost(dataFolder);
  const all = await openedCloud(host.handlers, { run: runId });
  const { points } = await host.ask('runs.show', { runId });
  expect(all.head.points).toBe(points);
  expect(all.head.originM).toEqual(origin);
  expect(all.head.classes).toContain('tree');
  expect(all.points === pointsOfTables(await recorded(host))).toBe(true);

  const front = await openedCloud(host.handlers, { run: runId, sensor: 'front' });
  expect(front.points === pointsOfTables(await recorded(host, 'front'))).toBe(true);
  expect(front.head.points).toBeLessThan(all.head.points);
  expect(front.head.key).not.toBe(all.head.key);
  expect(readdirSync(octreeFolder).sort()).toEqual(
    [all, front].map(({ head }) => `${head.key}.octree`).sort(),
  );
  // By the start of its id it is the same cloud.
  const again = { source: { run: runId.slice(0, 30) }, mayBuild: false };
  const { reply } = await host.handlers['cloud.open'](again, callContext);
  expect(reply.octree).toEqual(all.head);
});

it('is refused with the reason for a sensor or a run that is not there, or in the trash', async () => {
  const host = await openHost(dataFolder);
  const open = (source: { run: string; sensor?: string }) => openedCloud(host.handlers, source);
  await expect(open({ run: runId, sensor: 'top' })).rejects.toMatchObject({
    code: 'bad-input',
    details: {
      problems: [{ path: 'source.sensor', message: "expected one of front, rear, found 'top'" }],
    },
  });
  await expect(open({ run: 'nope' })).rejects.toMatchObject({ code: 'not-found' });
  await host.ask('runs.delete', { runIds: [runId] });
  await expect(open({ run: runId })).rejects.toMatchObject({
    code: 'not-found',
    message: `run ${runId} is in the trash: restore it first`,
  });
  await host.ask('runs.restore', { runIds: [runId] });
});

it('is refused while the run is under way, and leaves nothing where it is cancelled', async () => {
  const host = await openHost(dataFolder);
  const request = { scenario: join(folder, 'scene.yaml'), seconds: 60, speed: 1 };
  const { runId: live } = await host.ask('drive.start', request);
  await expect(openedCloud(host.handlers, { run: live })).rejects.toMatchObject({
    code: 'locked',
    message: expect.stringContaining('once it has ended') as string,
  });
  await host.ask('drive.stop', { runId: live });

  const before = readdirSync(octreeFolder);
  const controller = new AbortController();
  const source = { run: runId, sensor: 'rear' };
  const context = {
    ...callContext,
    signal: controller.signal,
    progress: () => controller.abort(),
  };
  await expect(
    host.handlers['cloud.open']({ source, mayBuild: true }, context),
  ).rejects.toMatchObject({ code: 'cancelled' });
  expect(readdirSync(octreeFolder)).toEqual(before);
});

it('is refused with the path of a recording that is damaged or cut off, and nothing is left', async () => {
  const other = await driveHere(folder, join(folder, 'scene.yaml'), '--seconds=0.5');
  const host = await openHost(dataFolder);
  const { recordingFile: file } = await host.ask('runs.show', { runId: other });
  const before = readdirSync(octreeFolder);
  const whole = readFileSync(file);
  const changed = Uint8Array.from(whole);
  changed[whole.length >> 1] = (changed[whole.length >> 1] ?? 0) ^ 1;
  const open = () => openedCloud(host.handlers, { run: other });
  for (const bytes of [
    changed,
    whole.subarray(0, whole.length >> 1),
    new TextEncoder().encode('junk'),
  ]) {
    writeFileSync(file, bytes);
    await expect(open()).rejects.toMatchObject({ code: 'corrupt' });
    await expect(open()).rejects.toThrow(new RegExp(`${other}`));
  }
  expect(readdirSync(octreeFolder)).toEqual(before);
  writeFileSync(file, whole);
  expect((await open()).head.points).toBeGreaterThan(0);
  expect(existsSync(file)).toBe(true);
});
