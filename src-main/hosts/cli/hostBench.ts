// How long the host's own thread is held up by what a page asks of it: the longest task of each operation, measured in
// the process that carries the operations out, as the CPU time of its thread between two beats of its event loop. Why
// CPU time: on a busy machine the time between two beats says more of the other processes.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCancelled, throwIfCancelled } from '#contract/errors.ts';
import type { SceneChunk } from '#contract/host/sceneMethods.ts';
import type { Session } from './session.ts';
import { tableLines } from './table.ts';

export interface HostOperation {
  name: string;
  seconds: number;
  /** CPU time; whatever else ran on the thread meanwhile is included. */
  longestTaskMs: number;
}

export interface HostBench {
  scene: string;
  sensor: string;
  operations: HostOperation[];
  /** Longest task of all operations. */
  longestTaskMs: number;
}

export interface HostBenchOptions {
  scene: string;
  sensor: string;
  /** Simulated time of the run that is looked at. */
  seconds: number;
}

/** Between two beats of the event loop. */
const beatMs = 1;

/** Carries the operations out once each, on the session's data folder, and removes the run that it made. */
export async function hostBench(
  { call, surroundings }: Session,
  { scene, sensor, seconds }: HostBenchOptions,
): Promise<HostBench> {
  const operations: HostOperation[] = [];
  const measure = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    let longestTaskMs = 0;
    let lastMs = threadCpuMs();
    const beat = (): void => {
      const nowMs = threadCpuMs();
      longestTaskMs = Math.max(longestTaskMs, nowMs - lastMs);
      lastMs = nowMs;
    };
    const startMs = performance.now();
    const beats = setInterval(beat, beatMs);
    try {
      return await work();
    } finally {
      const endMs = performance.now();
      clearInterval(beats);
      beat();
      operations.push({ name, seconds: (endMs - startMs) / 1000, longestTaskMs });
    }
  };

  await measure('open the scene', () => openScene(call, scene));
  const { reply: document } = await measure('read the document', () =>
    call('document.read', { kind: 'scenario', document: scene }),
  );
  const { text, file } = document;
  const edits = [{ path: ['name'], op: 'set' as const, value: 'another name' }];
  await measure('edit the document', () =>
    call('document.edit', { kind: 'scenario', text, file, edits }),
  );
  const { runId } = await measure('drive', async () => {
    const started = await call('drive.start', { scenario: scene, sensor, seconds });
    await call('drive.watch', { runId: started.reply.runId, maxPoints: 60_000 });
    return started.reply;
  });
  await measure('list runs', () => call('runs.list', {}));
  await measure('show the run', () => call('runs.show', { runId }));
  await measure('list its scans', () => call('runs.scans', { runId }));
  await measure('plot its ticks', () => call('runs.ticks', { runId }));
  await measure('look at an instant', () => call('runs.at', { runId, timeS: seconds }));
  await measure('look at its past', () =>
    call('runs.past', { runId, toS: seconds + 1, maxScans: 100, maxPoints: 500_000 }),
  );
  await measure('tag the run', () => call('runs.tag', { runIds: [runId], add: ['bench'] }));
  const scratch = await mkdtemp(join(tmpdir(), 'understory-bench-'));
  const out = join(scratch, 'cloud.csv');
  await measure('export the run', () => call('runs.export', { runId, format: 'csv', out }));
  await rm(scratch, { recursive: true, force: true });
  await measure('delete the run', async () => {
    await call('runs.delete', { runIds: [runId] });
    await call('runs.empty', { runIds: [runId] });
  });
  throwIfCancelled(surroundings.stop);
  const longestTaskMs = Math.max(...operations.map((operation) => operation.longestTaskMs));
  return { scene, sensor, operations, longestTaskMs };
}

/** User and system time of this thread so far. */
function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Opens the scene, and closes it when it has all been received. */
async function openScene(call: Session['call'], scenario: string): Promise<void> {
  const controller = new AbortController();
  let levels = Infinity;
  const opened = call(
    'scene.open',
    { scenario },
    {
      signal: controller.signal,
      onChunk: (body) => {
        const chunk = body as SceneChunk;
        if (chunk.kind === 'ready') {
          levels = chunk.models.reduce((sum, model) => sum + model.levels.length, 0);
        } else if (chunk.kind === 'mesh') levels -= 1;
        if (levels === 0) controller.abort();
      },
    },
  );
  await opened.catch((error: unknown) => {
    if (!isCancelled(error) || levels > 0) throw error;
  });
}

/** A table for people. */
export function hostLines({ operations, longestTaskMs }: HostBench): string[] {
  return [
    ...tableLines(operations, [
      { title: 'operation', value: ({ name }) => name },
      { title: 'seconds', value: ({ seconds }) => seconds.toFixed(2), align: 'right' },
      {
        title: 'longest task ms',
        value: (operation) => operation.longestTaskMs.toFixed(1),
        align: 'right',
      },
    ]),
    `longest task of the host's thread: ${longestTaskMs.toFixed(1)} ms`,
  ];
}
