// Building through the real worker: the same scene and scans with and without the mesh cache, whatever
// lies in it; and a large mesh that reports its phases, stops in each of them and gives its memory back.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { instancesOf } from '#services/scans/instancesOf.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { keptLog } from '#test/support/log.ts';
import { startWorker } from '#test/support/worker.ts';
import { compileScenario, openWorker, scanBytes, sensorRecipe, standingAt } from './realWorker.ts';

const folder = temporaryFolder();

describe('the mesh cache', () => {
  it('changes no byte of the scene or of a scan, full, empty, damaged or unusable', async () => {
    const cacheFolder = join(folder, 'cache');
    const scenario = await compileScenario('courtyard');
    const sensor = await sensorRecipe('vlp-16');
    const { log, lines } = keptLog();
    const scene = async (place: string | null): Promise<unknown> => {
      const { worker, summary } = await openWorker(scenario, { cacheFolder: place, log });
      const order = { sensor, toNs: 10e6, trajectory: standingAt(-60, -60, 2) };
      const { digests } = await scanBytes(worker, order);
      return { digests, summary: { ...summary, buildSeconds: 0 } };
    };
    const expected = await scene(null);
    expect(await scene(cacheFolder)).toEqual(expected);
    const entries = readdirSync(cacheFolder).map((name) => join(cacheFolder, name));
    expect(entries).toHaveLength(1); // the tree; a grass patch is grown as fast as it is read
    const [entry = ''] = entries;
    const whole = readFileSync(entry);
    expect(await scene(cacheFolder)).toEqual(expected);
    writeFileSync(entry, whole.subarray(0, whole.length / 2));
    expect(await scene(cacheFolder)).toEqual(expected);
    expect(readFileSync(entry).equals(whole)).toBe(true);
    const warnings = (): string[] =>
      lines.filter(({ level }) => level === 'warn').map(({ message }) => message);
    expect(warnings()).toEqual([]);
    writeFileSync(join(folder, 'file'), 'no folder');
    expect(await scene(join(folder, 'file'))).toEqual(expected);
    // A cache that cannot be written was slow without a word.
    expect(warnings()).toHaveLength(1);
    expect(warnings()[0]).toMatch(/the cache .*file cannot be written: Not a directory/);
  });
});

describe('building a large mesh', () => {
  const side = 900; // 1.62 million triangles
  let recipe: SceneRecipe;
  beforeAll(() => {
    const file = join(folder, 'sheet.ply');
    writePly(file, side);
    recipe = {
      seed: 1,
      materials: [{ name: 'm', reflectance: 0.5, colourRgb: [1, 1, 1] }],
      classes: ['thing'],
      models: [
        {
          name: 'sheet',
          solid: 'none',
          source: {
            kind: 'mesh',
            file,
            format: 'ply',
            unitM: 0.01,
            upAxis: 'z',
            material: 0,
            materials: {},
          },
        },
      ],
      instances: [],
      scatters: [
        {
          firstId: 1,
          name: 'copy',
          class: 0,
          model: 0,
          count: 200_000,
          pattern: 'uniform',
          minSpacingM: 0,
          areaM: [
            [0, 0],
            [900, 0],
            [900, 900],
          ],
          yawRad: [0, 6],
          scale: [1, 1],
          tiltRad: [0, 0],
          keepClear: [],
        },
      ],
      ground: -1,
    };
  });

  it('reports the progress of each phase, stops in each when cancelled, and releases its memory', async () => {
    const worker = await startWorker({ threads: 2 });
    const request = { recipe, memoryLimitBytes: 4e9 };
    const heights = new Float32Array();
    const atRest = residentBytes(worker.pid);
    const reports = new Map<string, number>();
    await worker.call(
      'scene.build',
      request,
      { heights },
      {
        onProgress: ({ phase, done, total }) => {
          expect(done).toBeLessThanOrEqual(total);
          reports.set(phase, (reports.get(phase) ?? 0) + 1);
        },
      },
    );
    const built = residentBytes(worker.pid);
    for (const phase of ['reading', 'building', 'scatters', 'instances', 'top-level']) {
      // A phase of seconds reports more often than at its beginning and end.
      expect(reports.get(phase), phase).toBeGreaterThan(3);
      const controller = new AbortController();
      const build = worker.call(
        'scene.build',
        request,
        { heights },
        {
          signal: controller.signal,
          onProgress: (progress) => progress.phase === phase && controller.abort(),
        },
      );
      await expect(build, phase).rejects.toMatchObject({ code: 'cancelled' });
      // The next call is answered when the cancelled one has ended.
      await expect(instancesOf(worker)).rejects.toMatchObject({ code: 'bad-input' });
    }
    // A build that kept what it had would leave it five times. Freed blocks that allocators keep for their threads were up to
    // 0.31 of a scene on a busy machine.
    const left = residentBytes(worker.pid) - atRest;
    expect(left).toBeLessThan(0.5 * (built - atRest));
  });
});

/** Resident memory of a process (Linux). */
function residentBytes(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096;
}

/** A sheet of 2 · side² triangles as binary PLY. */
function writePly(file: string, cells: number): void {
  mkdirSync(folder, { recursive: true });
  const corners = cells + 1;
  const head = Buffer.from(
    `ply\nformat binary_little_endian 1.0\nelement vertex ${corners * corners}\n` +
      'property float x\nproperty float y\nproperty float z\n' +
      `element face ${cells * cells}\nproperty list uchar int vertex_indices\nend_header\n`,
  );
  const body = new DataView(new ArrayBuffer(12 * corners * corners + 17 * cells * cells));
  let at = 0;
  for (let row = 0; row < corners; row++) {
    for (let column = 0; column < corners; column++) {
      body.setFloat32(at, column, true);
      body.setFloat32(at + 4, row, true);
      body.setFloat32(at + 8, Math.sin(row) + Math.cos(column), true);
      at += 12;
    }
  }
  for (let row = 0; row < cells; row++) {
    for (let column = 0; column < cells; column++) {
      const first = row * corners + column;
      body.setUint8(at, 4);
      for (const [k, corner] of [first, first + 1, first + corners + 1, first + corners].entries())
        body.setInt32(at + 1 + 4 * k, corner, true);
      at += 17;
    }
  }
  writeFileSync(file, Buffer.concat([head, new Uint8Array(body.buffer)]));
}
