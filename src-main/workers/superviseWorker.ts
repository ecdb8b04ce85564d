// A worker that survives the death of its process: started again with back-off, its scene built again,
// and the call under way asked again. That is safe because every answer is a pure function of its
// request; chunks already handed over are skipped, so each is handed over exactly once.
import { setTimeout as delay } from 'node:timers/promises';
import { orAborted, UnderstoryError } from '#contract/errors.ts';
import { progressSchema, type SceneRequest, type SceneSummary } from '#contract/worker/worker.ts';
import {
  checkedChunk,
  checkedReply,
  type WorkerChunk,
  type WorkerMethodName,
  type WorkerReply,
  type WorkerRequest,
} from '#contract/worker/workerMethods.ts';
import type { Log } from '#services/ports/system.ts';
import type { InstanceSlice, ScanWorker, WorkerCallOptions } from '#services/ports/workers.ts';
import { packingColumns, scanResultOf, waveformsOf } from './workerColumns.ts';
import type { WorkerProcess } from './workerProcess.ts';

export interface SuperviseOptions {
  start: () => Promise<WorkerProcess>;
  log: Log;
  /** Over the whole life of the worker. */
  maxRestarts: number;
  /** Wait before the first restart; doubled for each further one. */
  backOffMs: number;
}

/** Instances that are asked for at a time: some 6 MB. */
const sliceRows = 2 ** 16;

/** Why so few: each build may bring the system's out-of-memory killer again, on another process, too. */
const maxKillsWhileBuilding = 2;

interface BuiltScene {
  request: SceneRequest;
  heights: Float32Array;
  sceneHash: string;
}

/**
 * Starts a worker and keeps it alive until it is disposed.
 * @throws what `start` throws, when the very first start fails.
 * Every call throws 'worker-lost' once the restarts are used up, with the last lines of stderr.
 */
export async function superviseWorker(options: SuperviseOptions): Promise<ScanWorker> {
  const { start, log, maxRestarts, backOffMs } = options;
  let current = await start();
  const { hello } = current;
  let restarting: Promise<WorkerProcess> | null = null;
  let restarts = 0;
  let killsWhileBuilding = 0;
  let endedForGood: UnderstoryError | null = null;
  let scene: BuiltScene | null = null;
  let isDisposed = false;
  /** A process that is being brought back, until it has its scene. */
  let starting: WorkerProcess | null = null;
  let peakRssBytes = 0;

  return {
    hello,
    planScene: (request, heights, callOptions) =>
      askScene('scene.plan', request, heights, callOptions),
    async buildScene(request, heights, callOptions) {
      scene = null;
      const summary = await askScene('scene.build', request, heights, callOptions);
      scene = { request, heights, sceneHash: summary.sceneHash };
      return summary;
    },
    instanceSlices,
    async heightAt(request, callOptions) {
      return (await ask('scene.heightAt', { body: request, columns: {} }, callOptions)).body
        .heightM;
    },
    async mesh(request, callOptions) {
      const { body, columns } = await ask(
        'scene.mesh',
        { body: request, columns: {} },
        callOptions,
      );
      return { ...body, ...columns };
    },
    async describeSensor(request, callOptions) {
      const { body, columns } = await ask(
        'sensor.describe',
        { body: request, columns: {} },
        callOptions,
      );
      return { description: body, columns };
    },
    async scan(request, trajectory, { onChunk, packing, ...callOptions }) {
      const body = packing === undefined ? request : { ...request, packed: packing.template };
      const columns = { ...trajectory, ...packingColumns(packing) };
      const reply = await ask('scan', { body, columns }, callOptions, (chunk) =>
        onChunk(chunk.columns, chunk.body.rows),
      );
      const result = scanResultOf(reply, request.sample?.columns);
      peakRssBytes = Math.max(peakRssBytes, result.peakRssBytes);
      return result;
    },
    async scanRays(request, trajectory, { onChunk, ...callOptions }) {
      const order = { body: request, columns: { ...trajectory } };
      const { body } = await ask('scan.rays', order, callOptions, (chunk) =>
        onChunk(chunk.columns),
      );
      peakRssBytes = Math.max(peakRssBytes, body.peakRssBytes);
      return body;
    },
    async scanWaveforms(request, trajectory, { onChunk, ...callOptions }) {
      const order = { body: request, columns: { ...trajectory } };
      const { body } = await ask('scan.waveforms', order, callOptions, (chunk) =>
        onChunk(waveformsOf(chunk)),
      );
      peakRssBytes = Math.max(peakRssBytes, body.peakRssBytes);
      return body;
    },
    async explainPulse(request, trajectory, callOptions) {
      const order = { body: request, columns: { ...trajectory } };
      const { body, columns } = await ask('scan.signal', order, callOptions);
      return { ...body, columns };
    },
    async benchNative(request, trajectory, callOptions) {
      const order = { body: request, columns: { ...trajectory } };
      return (await ask('bench.native', order, callOptions)).body;
    },
    async benchRaw(request, trajectory, callOptions) {
      const order = { body: request, columns: { ...trajectory } };
      return (await ask('bench.raw', order, callOptions)).body;
    },
    async render(request, callOptions) {
      return (await ask('render', { body: request, columns: {} }, callOptions)).columns.rgb;
    },
    get peakRssBytes() {
      return peakRssBytes;
    },
    get pid() {
      return current.pid;
    },
    async dispose() {
      isDisposed = true;
      await Promise.all([current.kill(), starting?.kill()]);
    },
  };

  async function askScene(
    method: 'scene.plan' | 'scene.build',
    request: SceneRequest,
    heights: Float32Array,
    callOptions: WorkerCallOptions = {},
  ): Promise<SceneSummary> {
    return (await ask(method, { body: request, columns: { heights } }, callOptions)).body;
  }

  async function instanceSlices(
    take: (slice: InstanceSlice) => void | Promise<void>,
  ): Promise<void> {
    for (let fromRow = 0; ;) {
      const request = { body: { fromRow, maxRows: sliceRows }, columns: {} };
      const { body, columns } = await ask('scene.instances', request);
      const { total } = body;
      await take({ fromRow, total, columns });
      const rows = columns.instance_id.length;
      fromRow += rows;
      if (fromRow >= total || rows === 0) return;
    }
  }

  /** Asks until a process lives long enough to answer. Each chunk is handed to `take` once, in order. */
  async function ask<M extends WorkerMethodName>(
    method: M,
    { body, columns }: WorkerRequest<M>,
    { signal, onProgress }: WorkerCallOptions = {},
    take: (chunk: WorkerChunk<M>) => void | Promise<void> = () => undefined,
  ): Promise<WorkerReply<M>> {
    let taken = 0;
    for (;;) {
      const living = livingProcess();
      const process = await (signal === undefined
        ? living
        : orAborted(living, signal, cancelledText(method)));
      let arrived = 0;
      try {
        const reply = await process.call(method, body, {
          columns,
          ...(signal === undefined ? {} : { signal }),
          onProgress: (progress) => onProgress?.(progressSchema.parse(progress)),
          onChunk: async (message) => {
            arrived += 1;
            if (arrived <= taken) return;
            taken = arrived;
            await take(checkedChunk(method, message));
          },
        });
        return checkedReply(method, reply);
      } catch (error) {
        const isLost = error instanceof UnderstoryError && error.code === 'worker-lost';
        if (!isLost || isDisposed) throw error;
        await process.ended;
        if (method === 'scene.build') expectMemory(process);
        // Why: it may have been killed for not ending the call; the next call brings a worker back.
        if (signal?.aborted === true) throw new UnderstoryError('cancelled', cancelledText(method));
      }
    }
  }

  /** @throws 'worker-lost' at the second kill while a scene is built: another attempt would end likewise */
  function expectMemory(process: WorkerProcess): void {
    if (process.wasKilledByOthers) killsWhileBuilding += 1;
    if (killsWhileBuilding < maxKillsWhileBuilding) return;
    endedForGood = new UnderstoryError(
      'worker-lost',
      `the worker was killed ${killsWhileBuilding} times while it built the scene: ` +
        'the system probably ran out of memory; close other programs or make the scene smaller',
      { stderr: process.lastLines() },
    );
    throw endedForGood;
  }

  function livingProcess(): Promise<WorkerProcess> {
    if (isDisposed) throw new UnderstoryError('worker-lost', 'the worker was disposed');
    if (endedForGood !== null) throw endedForGood;
    if (!current.hasEnded) return Promise.resolve(current);
    restarting ??= restart().finally(() => (restarting = null));
    return restarting;
  }

  async function restart(): Promise<WorkerProcess> {
    let how = await current.ended;
    let lastLines = current.lastLines();
    for (;;) {
      if (restarts === maxRestarts) {
        throw new UnderstoryError(
          'worker-lost',
          `the worker died ${restarts + 1} times, the last time: ${how}`,
          { stderr: lastLines },
        );
      }
      restarts += 1;
      log.warn('the worker is started again', { how, restarts, stderr: lastLines });
      await delay(backOffMs * 2 ** (restarts - 1));
      try {
        const process = await start();
        starting = process;
        try {
          if (isDisposed) throw new UnderstoryError('worker-lost', 'the worker was disposed');
          if (scene !== null) await buildAgain(process, scene);
          if (isDisposed) throw new UnderstoryError('worker-lost', 'the worker was disposed');
        } catch (error) {
          lastLines = process.lastLines();
          await process.kill();
          expectMemory(process);
          throw error;
        } finally {
          starting = null;
        }
        current = process;
        return process;
      } catch (error) {
        const isLost = error instanceof UnderstoryError && error.code === 'worker-lost';
        if (isDisposed || !isLost || error === endedForGood) throw error;
        how = error.message;
      }
    }
  }
}

async function buildAgain(process: WorkerProcess, scene: BuiltScene): Promise<void> {
  const reply = await process.call('scene.build', scene.request, {
    columns: { heights: scene.heights },
  });
  const { sceneHash } = checkedReply('scene.build', reply).body;
  if (sceneHash !== scene.sceneHash) {
    throw new UnderstoryError(
      'worker-failed',
      `the scene came out differently when it was built again: ${sceneHash}, before ${scene.sceneHash}`,
    );
  }
}

function cancelledText(method: string): string {
  return `${method} was cancelled`;
}
