// A worker that survives the death of its process: the call under way is asked again. That is safe because every
// answer is a pure function of its request; chunks already delivered are skipped, so each is delivered exactly once.
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
import type { InstanceSlice, ScanWorker, WorkerCallOptions } from '#services/ports/workers.ts';
import { withMeshPath } from './meshFileErrors.ts';
import { packingsOf, scanResultOf, waveformsOf } from './workerColumns.ts';
import {
  superviseProcess,
  type SupervisedProcess,
  type SuperviseOptions,
  sentBody,
} from './supervisedProcess.ts';

/** Instances that are asked for at a time: some 6 MB. */
const sliceRows = 2 ** 16;

/**
 * Starts a worker and keeps it alive until it is disposed.
 * @throws what `start` throws, when the very first start fails.
 * Every call throws 'worker-lost' once the restarts are used up, with the last lines of stderr.
 */
export async function superviseWorker(options: SuperviseOptions): Promise<ScanWorker> {
  const process = await superviseProcess(options);
  const { hello } = process;
  let peakRssBytes = 0;
  const measured = (reply: { peakRssBytes: number }): void => {
    peakRssBytes = Math.max(peakRssBytes, reply.peakRssBytes);
  };

  return {
    hello,
    planScene: (request, heights, callOptions) =>
      askScene('scene.plan', request, heights, callOptions),
    async buildScene(request, heights, callOptions) {
      process.setScene(null);
      const summary = await askScene('scene.build', request, heights, callOptions);
      process.setScene({ request, heights, sceneHash: summary.sceneHash });
      return summary;
    },
    instanceSlices,
    async heightAt(request, callOptions) {
      return (await ask(process, 'scene.heightAt', { body: request, columns: {} }, callOptions))
        .body.heightM;
    },
    ...modelCalls(process),
    async describeSensor(request, callOptions) {
      const { body, columns } = await ask(
        process,
        'sensor.describe',
        { body: request, columns: {} },
        callOptions,
      );
      return { description: body, columns };
    },
    async scan(request, trajectory, { onChunk, packings = [], ...callOptions }) {
      const { columns: heads, ...packed } = packingsOf(packings);
      const body = { ...request, ...packed };
      const columns = { ...trajectory, ...heads };
      const reply = await ask(process, 'scan', { body, columns }, callOptions, (chunk) =>
        onChunk(chunk.columns, chunk.body.rows),
      );
      const result = scanResultOf(reply, request.sample?.columns);
      measured(result);
      return result;
    },
    async scanRays(request, trajectory, { onChunk, ...callOptions }) {
      const order = { body: request, columns: { ...trajectory } };
      const { body } = await ask(process, 'scan.rays', order, callOptions, (chunk) =>
        onChunk(chunk.columns),
      );
      measured(body);
      return body;
    },
    async scanWaveforms(request, trajectory, { onChunk, ...callOptions }) {
      const order = { body: request, columns: { ...trajectory } };
      const { body } = await ask(process, 'scan.waveforms', order, callOptions, (chunk) =>
        onChunk(waveformsOf(chunk)),
      );
      measured(body);
      return body;
    },
    async explainPulse(request, trajectory, callOptions) {
      const order = { body: request, columns: { ...trajectory } };
      const { body, columns } = await ask(process, 'scan.signal', order, callOptions);
      return { ...body, columns };
    },
    async benchNative(request, trajectory, callOptions) {
      const order = { body: request, columns: { ...trajectory } };
      return (await ask(process, 'bench.native', order, callOptions)).body;
    },
    async benchRaw(request, trajectory, callOptions) {
      const order = { body: request, columns: { ...trajectory } };
      return (await ask(process, 'bench.raw', order, callOptions)).body;
    },
    ...learningMethods(process, measured),
    ...viewMethods(process, measured),
    async render(request, callOptions) {
      return (await ask(process, 'render', { body: request, columns: {} }, callOptions)).columns
        .rgb;
    },
    get peakRssBytes() {
      return peakRssBytes;
    },
    get pid() {
      return process.pid;
    },
    dispose: () => process.dispose(),
  };

  async function askScene(
    method: 'scene.plan' | 'scene.build',
    request: SceneRequest,
    heights: Float32Array,
    callOptions: WorkerCallOptions = {},
  ): Promise<SceneSummary> {
    try {
      const order = { body: request, columns: { heights } };
      return (await ask(process, method, order, callOptions)).body;
    } catch (error) {
      throw withMeshPath(error, request.recipe);
    }
  }

  async function instanceSlices(
    take: (slice: InstanceSlice) => void | Promise<void>,
  ): Promise<void> {
    for (let fromRow = 0; ;) {
      const request = { body: { fromRow, maxRows: sliceRows }, columns: {} };
      const { body, columns } = await ask(process, 'scene.instances', request);
      const { total } = body;
      await take({ fromRow, total, columns });
      const rows = columns.instance_id.length;
      fromRow += rows;
      if (fromRow >= total || rows === 0) return;
    }
  }
}

/** The methods that learn and judge models; `measured` gets their replies. */
function learningMethods(
  process: SupervisedProcess,
  measured: (reply: { peakRssBytes: number }) => void,
): Pick<ScanWorker, 'learn' | 'evaluate' | 'compare'> {
  return {
    async learn(request, callOptions) {
      const { body } = await ask(
        process,
        'learn.model',
        { body: request, columns: {} },
        callOptions,
      );
      measured(body);
      return body;
    },
    async evaluate(request, callOptions) {
      const order = { body: request, columns: {} };
      const { body, columns } = await ask(process, 'learn.evaluate', order, callOptions);
      measured(body);
      return { metrics: body, points: columns };
    },
    async compare(request, callOptions) {
      const order = { body: request, columns: {} };
      const { body } = await ask(process, 'log.compare', order, callOptions);
      measured(body);
      return body;
    },
  };
}

/** The methods that show logs and models; `measured` gets their replies. */
function viewMethods(
  process: SupervisedProcess,
  measured: (reply: { peakRssBytes: number }) => void,
): Pick<ScanWorker, 'logCloud' | 'modelElements' | 'modelSample' | 'rangesAtPlace'> {
  return {
    async logCloud(request, { onChunk, ...callOptions }) {
      const order = { body: request, columns: {} };
      const { body } = await ask(process, 'log.cloud', order, callOptions, (chunk) =>
        onChunk(chunk.columns, chunk.body),
      );
      measured(body);
      return body;
    },
    async modelElements(request, { onChunk, ...callOptions }) {
      const order = { body: request, columns: {} };
      const { body } = await ask(process, 'learn.elements', order, callOptions, (chunk) =>
        onChunk(chunk.columns, chunk.body),
      );
      measured(body);
      return body;
    },
    async modelSample(request, { onChunk, ...callOptions }) {
      const order = { body: request, columns: {} };
      const { body } = await ask(process, 'learn.sample', order, callOptions, (chunk) =>
        onChunk(chunk.columns, chunk.body),
      );
      measured(body);
      return body;
    },
    async rangesAtPlace(request, callOptions) {
      const order = { body: request, columns: {} };
      const { body, columns } = await ask(process, 'learn.place', order, callOptions);
      measured(body);
      return { ...body, counts: columns.counts };
    },
  };
}

/** Calls about the models of the scene that is built. */
function modelCalls(process: SupervisedProcess): Pick<ScanWorker, 'mesh' | 'ground'> {
  return {
    async mesh(request, options) {
      const order = { body: request, columns: {} };
      const { body, columns } = await ask(process, 'scene.mesh', order, options);
      return { ...body, ...columns };
    },
    async ground(options) {
      const order = { body: {}, columns: {} };
      const { body, columns } = await ask(process, 'scene.ground', order, options);
      return { ...body, values: columns };
    },
  };
}

/** Asks until a process lives long enough to answer. Each chunk is passed to `take` once, in order. */
async function ask<M extends WorkerMethodName>(
  supervised: SupervisedProcess,
  method: M,
  { body, columns }: WorkerRequest<M>,
  { signal, onProgress }: WorkerCallOptions = {},
  take: (chunk: WorkerChunk<M>) => void | Promise<void> = () => undefined,
): Promise<WorkerReply<M>> {
  let taken = 0;
  for (;;) {
    const living = supervised.living();
    const process = await (signal === undefined
      ? living
      : orAborted(living, signal, cancelledText(method)));
    let arrived = 0;
    try {
      const reply = await process.call(method, await sentBody(method, body), {
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
