// Learning in the real worker: refused where memory does not suffice, cancelled at once; either way no file is left, and
// the worker works on.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { logHeadSchema, type LogTable } from '#contract/log/log.ts';
import type { LearnRequest } from '#contract/worker/learn.ts';
import { learnPresets } from '#domain/shared/learnPresets.ts';
import { createExporters } from '#recordings/export/exporters.ts';
import { createLogs } from '#recordings/log/logs.ts';
import type { ScanWorker } from '#services/ports/workers.ts';
import { goldenHead } from '#test/recordings/log/writeGolden.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { startWorker } from '#test/support/worker.ts';
import {} from './realWorker.ts';

const chunkBeams = 50_000;
const chunks = 12;

/** Beams from above onto ground that is uneven by up to 10 cm. */
function ground(chunk: number): LogTable {
  const from = chunk * chunkBeams;
  const value = (row: number, prime: number): number => (((from + row) * prime) % 1009) / 1009;
  const of = (valueOf: (row: number) => number): Float32Array<ArrayBuffer> =>
    Float32Array.from({ length: chunkBeams }, (_, row) => valueOf(row));
  const origin = (valueOf: (row: number) => number): Float64Array<ArrayBuffer> =>
    Float64Array.from({ length: chunkBeams }, (_, row) => valueOf(row));
  return {
    time_ns: BigInt64Array.from({ length: chunkBeams }, (_, row) => BigInt(from + row) * 1000n),
    sweep: new Uint32Array(chunkBeams).fill(chunk),
    laser: new Uint16Array(chunkBeams),
    state: new Uint8Array(chunkBeams).fill(1),
    range_m: of((row) => 3 - 0.1 * value(row, 7)),
    intensity: of(() => 100),
    azimuth_rad: new Float32Array(chunkBeams),
    origin_x_m: origin((row) => 20 * value(row, 383) + value(row, 3)),
    origin_y_m: origin((row) => 20 * value(row, 641) + value(row, 5)),
    origin_z_m: origin(() => 3),
    direction_x: new Float32Array(chunkBeams),
    direction_y: new Float32Array(chunkBeams),
    direction_z: new Float32Array(chunkBeams).fill(-1),
    label: new Uint8Array(chunkBeams),
  };
}

async function withWorker(
  work: (worker: ScanWorker, request: LearnRequest) => Promise<void>,
): Promise<void> {
  const folder = temporaryFolder();
  const log = join(folder, 'ground.log');
  const logs = createLogs(createExporters({ dataFolder: null }));
  const head = logHeadSchema.parse({
    ...goldenHead,
    cuts: { ...goldenHead.cuts, azimuthDeg: null },
  });
  const writer = await logs.create(log, head, { isReplacing: true });
  for (let chunk = 0; chunk < chunks; chunk += 1) await writer.write(ground(chunk), chunkBeams);
  await writer.close();
  await work(await startWorker(), {
    logs: [log],
    out: join(folder, 'site.ply'),
    model: 'top-down',
    parameters: learnPresets['browning-2012'],
    seed: 1,
    memoryLimitBytes: 4e9,
  });
}

describe('learning', () => {
  it('is refused before it reads, where it takes more memory than the limit', () =>
    withWorker(async (worker, request) => {
      // At least 40 bytes a beam.
      const limit = 30 * chunks * chunkBeams;
      const phases: string[] = [];
      const onProgress = ({ phase }: { phase: string }): void => void phases.push(phase);
      await expect(
        worker.call('learn.model', { ...request, memoryLimitBytes: limit }, {}, { onProgress }),
      ).rejects.toMatchObject({ code: 'scene-too-large' });
      expect(phases).toEqual([]);
      expect(existsSync(request.out)).toBe(false);
      const voxel = await worker.call('learn.model', { ...request, model: 'voxel' }, {});
      expect(voxel.body.returns).toBe(chunks * chunkBeams);
    }));

  it('is cancelled in the midst of its work, and leaves nothing', () =>
    withWorker(async (worker, request) => {
      const controller = new AbortController();
      const learned = worker.call(
        'learn.model',
        request,
        {},
        {
          signal: controller.signal,
          onProgress: ({ phase }) => {
            if (phase === 'noise') controller.abort();
          },
        },
      );
      await expect(learned).rejects.toMatchObject({ code: 'cancelled' });
      expect(controller.signal.aborted).toBe(true);
      expect(existsSync(request.out)).toBe(false);
      expect(existsSync(`${request.out}.part`)).toBe(false);
      const again = await worker.call('learn.model', { ...request, model: 'voxel' }, {});
      expect(again.body.elements).toBeGreaterThan(100);
    }));
});
