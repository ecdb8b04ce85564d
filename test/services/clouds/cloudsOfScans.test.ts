// Scans with more returns than are sent: a sample of even rows, all returns saved for an octree, and nothing saved of the
// others.
import { existsSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Columns } from '#contract/columns.ts';
import type { SceneContents } from '#contract/host/sceneMethods.ts';
import { callContext } from '#test/support/context.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { openHost, type OpenHost } from '#test/support/host.ts';
import { openedCloud, pointsOfTables } from './openedCloud.ts';

const columns = ['x_m', 'y_m', 'z_m', 'intensity', 'class_id', 'ring', 'pulse'] as const;

interface Opened {
  host: OpenHost;
  /** Files of the cache. */
  names: () => string[];
  path: (name: string) => string;
  scan: (more?: object, signal?: AbortSignal) => ReturnType<typeof scanned>;
}

/** A host with the scene `box`, open until the test ends. */
async function opened(): Promise<Opened> {
  const dataFolder = temporaryFolder();
  const host = await openHost(dataFolder);
  const scene = await new Promise<string>((resolve, reject) => {
    const chunk = (body: unknown): Promise<void> => {
      const { kind, scene: id } = body as SceneContents & { kind: string };
      if (kind === 'ready') resolve(id);
      return Promise.resolve();
    };
    host.ask('scene.open', { scenario: 'box' }, { chunk }).catch(reject);
  });
  const folder = join(dataFolder, 'octrees');
  return {
    host,
    names: () => (existsSync(folder) ? readdirSync(folder) : []),
    path: (name) => join(folder, name),
    scan: (more = {}, signal = callContext.signal) =>
      scanned(
        host,
        { scene, sensor: 'vlp-16', seconds: 0.3, columns: [...columns], ...more },
        signal,
      ),
  };
}

async function scanned(host: OpenHost, request: object, signal: AbortSignal) {
  const tables: Columns[] = [];
  const chunk = (_: unknown, table: Columns): Promise<void> => {
    tables.push(table);
    return Promise.resolve();
  };
  const pose = { positionM: [0, 0, 1] as [number, number, number], yawDeg: 0, pitchDeg: 0 };
  const reply = await host.ask('scene.scan', { pose, ...request } as never, { chunk, signal });
  const rows = tables.reduce((sum, table) => sum + (table['pulse']?.length ?? 0), 0);
  return { reply, tables, rows };
}

it('is drawn whole by its octree, while an even sample is sent', async () => {
  const { host, names, scan } = await opened();
  const whole = await scan();
  expect(whole.reply.saved).toBeNull();
  expect(whole.rows).toBeGreaterThan(2000);
  const { reply, tables, rows } = await scan({ maxRows: 1000 });
  const { saved, ...counts } = reply;
  expect({ ...counts, saved: null }).toEqual(whole.reply);
  expect(rows).toBeGreaterThan(500);
  expect(rows).toBeLessThanOrEqual(1000);
  const pulses = whole.tables.flatMap((table) => [...(table['pulse'] ?? [])]);
  const every = Math.ceil(pulses.length / rows);
  expect(tables.flatMap((table) => [...(table['pulse'] ?? [])])).toEqual(
    pulses.filter((_, row) => row % every === 0),
  );
  expect(names()).toEqual([`${saved}.points`]);

  const source = { scan: saved ?? '' };
  const { head, points } = await openedCloud(host.handlers, source);
  expect(head).toMatchObject({ key: saved, points: whole.rows, classes: whole.reply.classes });
  expect(points === pointsOfTables(whole.tables)).toBe(true);
  // Its returns are in the octree now.
  expect(names()).toEqual([`${saved}.octree`]);
  // The same scan again has the same name, and its octree is there already.
  expect((await scan({ maxRows: 1000 })).reply.saved).toBe(saved);
  expect((await scan({ maxRows: 1000, seed: 8 })).reply.saved).not.toBe(saved);
});

it('is sent whole and not saved where it has no more returns than may be sent', async () => {
  const { names, scan } = await opened();
  const whole = await scan();
  const { reply, tables, rows } = await scan({ maxRows: whole.rows });
  expect([reply.saved, rows]).toEqual([null, whole.rows]);
  expect(pointsOfTables(tables) === pointsOfTables(whole.tables)).toBe(true);
  expect(names()).toEqual([]);
});

it('leaves nothing where it is cancelled', async () => {
  const { names, scan } = await opened();
  const controller = new AbortController();
  const scanning = scan({ seconds: 60, maxRows: 1000 }, controller.signal);
  await expect.poll(() => names().length, { timeout: 20_000 }).toBe(1);
  controller.abort();
  await expect(scanning).rejects.toMatchObject({ code: 'cancelled' });
  await expect.poll(names).toEqual([]);
});

it('is refused with misses, and with columns that do not say where returns are', async () => {
  const { scan } = await opened();
  await expect(scan({ maxRows: 10, misses: true })).rejects.toMatchObject({
    details: { problems: [{ path: 'misses', message: 'expected no misses with maxRows' }] },
  });
  await expect(scan({ maxRows: 10, columns: ['x_m', 'range_m'] })).rejects.toMatchObject({
    code: 'bad-input',
    details: {
      problems: [
        {
          path: 'columns',
          message:
            'expected y_m, z_m, intensity, class_id among the columns of a scan with maxRows',
        },
      ],
    },
  });
});

it('has no octree where its returns left the cache, or their file is not whole', async () => {
  const { host, names, path, scan } = await opened();
  const { saved } = (await scan({ maxRows: 1000 })).reply;
  const source = { scan: saved ?? '' };
  const [name = ''] = names();
  truncateSync(path(name), 5000);
  const open = () => openedCloud(host.handlers, source);
  await expect(open()).rejects.toMatchObject({ code: 'corrupt', details: { file: path(name) } });
  writeFileSync(path(name), 'junk');
  await expect(open()).rejects.toMatchObject({ code: 'corrupt', details: { file: path(name) } });
  const other = { scan: '0'.repeat(64) };
  await expect(openedCloud(host.handlers, other)).rejects.toMatchObject({
    code: 'not-found',
    message: 'the scan is no longer in the cache: scan again',
  });
});
