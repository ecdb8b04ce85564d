// A worker that survives the death of its process: the call under way is asked again. That is safe because every
// answer is a pure function of its request, but for `scan.write`, which says that a new process lacks the frame; chunks
// already delivered are skipped, so each is delivered exactly once.
import { orAborted, UnderstoryError } from '#contract/errors.ts';
import { progressSchema } from '#contract/worker/worker.ts';
import {
  checkedChunk,
  checkedReply,
  type WorkerMethodName,
  type WorkerReply,
  type WorkerRequest,
} from '#contract/worker/workerMethods.ts';
import type { MethodOptions, ScanWorker } from '#services/ports/workers.ts';
import { withMeshPath } from './meshFileErrors.ts';
import { isSceneCall, sentBody } from './sceneCall.ts';
import {
  superviseProcess,
  type SupervisedProcess,
  type SuperviseOptions,
} from './supervisedProcess.ts';

/** Fields of replies that the supervision reads. */
interface StatedByReply {
  peakRssBytes?: number;
  sceneHash?: string;
  [other: string]: unknown;
}

/**
 * Starts a worker and keeps it alive until it is disposed.
 * @throws what `start` throws, when the very first start fails.
 * Every call throws 'worker-lost' once the restarts are used up, with the last lines of stderr.
 */
export async function superviseWorker(options: SuperviseOptions): Promise<ScanWorker> {
  const process = await superviseProcess(options);
  let highestRssBytes = 0;

  return {
    hello: process.hello,
    async call(method, body, columns, callOptions) {
      const order = { method, body, columns };
      if (method === 'scene.build') process.setScene(null);
      try {
        const reply = await ask(process, order, callOptions);
        const { peakRssBytes = 0, sceneHash }: StatedByReply = reply.body;
        highestRssBytes = Math.max(highestRssBytes, peakRssBytes);
        if (method === 'scene.build' && sceneHash !== undefined && isSceneCall(order)) {
          process.setScene({ ...order, sceneHash });
        }
        return reply;
      } catch (error) {
        throw isSceneCall(order) ? withMeshPath(error, order.body.recipe) : error;
      }
    },
    get peakRssBytes() {
      return highestRssBytes;
    },
    get pid() {
      return process.pid;
    },
    dispose: () => process.dispose(),
  };
}

/** Asks until a process lives long enough to answer. Each chunk is passed on once, in order. */
async function ask<M extends WorkerMethodName>(
  supervised: SupervisedProcess,
  order: { method: M } & WorkerRequest<M>,
  { signal, onProgress, onChunk }: MethodOptions<M> = {},
): Promise<WorkerReply<M>> {
  const { method, columns } = order;
  let taken = 0;
  for (;;) {
    const living = supervised.living();
    const process = await (signal === undefined
      ? living
      : orAborted(living, signal, cancelledText(method)));
    let arrived = 0;
    try {
      const reply = await process.call(method, await sentBody(order), {
        columns,
        ...(signal === undefined ? {} : { signal }),
        onProgress: (progress) => onProgress?.(progressSchema.parse(progress)),
        onChunk: async (message) => {
          arrived += 1;
          if (arrived <= taken) return;
          taken = arrived;
          await onChunk?.(checkedChunk(method, message));
        },
      });
      return checkedReply(method, reply);
    } catch (error) {
      const isLost = error instanceof UnderstoryError && error.code === 'worker-lost';
      if (!isLost || supervised.isDisposed) throw error;
      await process.ended;
      if (method === 'scene.build') supervised.lostWhileBuilding(process);
      // Why: it may have been killed for not ending the call; the next call brings a worker back.
      if (signal?.aborted === true) throw new UnderstoryError('cancelled', cancelledText(method));
    }
  }
}

function cancelledText(method: string): string {
  return `${method} was cancelled`;
}
