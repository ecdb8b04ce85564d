// One scan over several MPI ranks: the bytes of one process, and an error soon after a rank is lost.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ScanWorker } from '#services/ports/workers.ts';
import { runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { straight } from '#validation/trajectories.ts';
import { lostRank, mpiCommand } from '#workers/mpiCommand.ts';
import { hasMpi, rankPids } from './mpiRanks.ts';
import { compileScenario, openWorker, scanBytes, onlySensor } from './realWorker.ts';

const field = await compileScenario();
const trajectory = straight([-1, 0, 1.5], [1, 0, 1.5], 60e9);
const order = { sensor: onlySensor(field), toNs: 200e6, chunkPulses: 9973, trajectory };

async function withRanks<T>(
  ranks: number | null,
  work: (worker: ScanWorker) => Promise<T>,
  environment: Record<string, string> = {},
): Promise<T> {
  const size = ranks === null ? {} : { ranks, threads: 1 };
  return work((await openWorker(field, { ...size, environment })).worker);
}

describe.runIf(hasMpi())('a scan over MPI ranks', () => {
  it('has the bytes of one process', async () => {
    const alone = await withRanks(null, (worker) => scanBytes(worker, order));
    const timeless = { traceSeconds: 0, writeSeconds: 0, peakRssBytes: 0 };
    // In parts: as between nodes, and where a process may not read the memory of another.
    for (const environment of [{}, { OMPI_MCA_btl_vader_single_copy_mechanism: 'none' }]) {
      const spread = await withRanks(3, (worker) => scanBytes(worker, order), environment);
      expect(spread.digests).toEqual(alone.digests);
      expect(spread.chunks).toBe(alone.chunks);
      expect({ ...spread.result, ...timeless }).toEqual({ ...alone.result, ...timeless });
    }
  });

  it('writes the file of one process', async () => {
    const folder = temporaryFolder();
    const scan = [
      ...['scan', 'clearing', '--sensor', 'lms-291', '--pose', '0,0,1,0', '--seconds', '0.2'],
      ...['--misses', '--out'],
    ];
    expect(await runHere(folder, ...scan, 'alone.csv')).toMatchObject({ exitCode: 0 });
    expect(await runHere(folder, ...scan, 'ranks.csv', '--ranks', '2')).toMatchObject({
      exitCode: 0,
    });
    const [alone, ranks] = ['alone.csv', 'ranks.csv'].map((name) =>
      readFileSync(join(folder, name)),
    );
    expect(alone?.length).toBeGreaterThan(10_000);
    expect(ranks?.equals(alone ?? Buffer.of())).toBe(true);
  });

  it('is scanned again after one that was cancelled or refused', async () => {
    await withRanks(2, async (worker) => {
      const stop = new AbortController();
      const cancelled = scanBytes(worker, {
        ...order,
        toNs: 20e9,
        signal: stop.signal,
        onChunk: () => stop.abort(),
      });
      await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
      const refused = scanBytes(worker, { ...order, sensor: { ...order.sensor, banks: [] } });
      await expect(refused).rejects.toMatchObject({ code: 'bad-input' });
      expect((await scanBytes(worker, order)).rows).toBeGreaterThan(1000);
    });
  });

  // SIGSTOP: the rank is there and does nothing, as after the loss of its node. Why two codes after SIGKILL: mpirun and
  // rank 0 both detect it, and on a busy machine mpirun is the later one.
  it.each([
    ['SIGKILL', /^worker-(lost|failed)$/],
    ['SIGSTOP', /^worker-failed$/],
  ] as const)('fails within 10 s after %s of a rank', async (signal, code) => {
    await withRanks(2, async (worker) => {
      let sentMs = 0;
      const scan = scanBytes(worker, {
        ...order,
        toNs: 60e9,
        onChunk: (chunk) => {
          if (chunk !== 2) return;
          const [, other = 0] = rankPids(worker.pid);
          sentMs = performance.now();
          process.kill(other, signal);
        },
      });
      await expect(scan).rejects.toMatchObject({
        code: expect.stringMatching(code) as string,
        message: expect.stringContaining('rank 1') as string,
      });
      // No measure of speed: a limit that the product states.
      expect(performance.now() - sentMs).toBeLessThan(10_000);
    });
  });
});

describe('the command that starts ranks', () => {
  it('is srun inside an allocation, else mpirun', () => {
    const worker = ['/w/scanWorkerMpi', '--threads', '1'];
    const inside = mpiCommand(4, worker, { SLURM_JOB_ID: '7' }, false);
    expect(inside.command).toBe('srun');
    expect(inside.args).toEqual(expect.arrayContaining(['--ntasks', '4', '--mpi=pmix', ...worker]));
    const outside = mpiCommand(4, worker, {}, true);
    expect([outside.command, ...outside.args.slice(0, 2)]).toEqual(['mpirun', '-n', '4']);
    expect(outside.environment).toHaveProperty('OMPI_ALLOW_RUN_AS_ROOT', '1');
    expect(mpiCommand(4, worker, {}, false).environment).toEqual({});
  });

  it('says which rank was lost', () => {
    const mpirun = [
      'mpirun noticed that process rank 1 with PID 0 on node n1 exited on signal 9 (Killed).',
    ];
    expect(lostRank(mpirun)).toBe('rank 1 was ended by signal 9 (Killed)');
    expect(lostRank(['srun: error: n2: task 3: Killed'])).toBe('rank 3 has ended: Killed');
    expect(lostRank(['nothing of the kind'])).toBeNull();
  });
});
