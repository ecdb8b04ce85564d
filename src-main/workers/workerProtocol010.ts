// The protocol of workers of version 0.1.0 (commit 6e90568), for `bench pair` alone: a comparison needs an older
// worker. Guarantee: a worker of the present protocol is called as it is.
//
// Differences in the calls of `bench pair`: hello has no `engine` and no `reciprocals`; a sensor's `banks` are its
// `blocks`, and it has no `intensity`; models of a scene have no counts of polygons and elements, and no foliage.
import { UnderstoryError } from '#contract/errors.ts';
import type { Message } from '#contract/wire/rpc.ts';
import type { WorkerCall } from './workerProcess.ts';

const methods = ['hello', 'scene.build', 'bench.native'];

/**
 * The same calls for a worker of either protocol: its first hello shows which it is.
 * @throws UnderstoryError 'unsupported' where a worker of 0.1.0 is called for anything else
 */
export function eitherProtocol(call: WorkerCall): WorkerCall {
  let is010 = false;
  return async (method, body, options) => {
    if (method === 'hello') {
      const reply = await call(method, body, options);
      is010 = !hasEngine(reply);
      return withHashes(reply);
    }
    if (!is010) return call(method, body, options);
    if (!methods.includes(method)) {
      throw new UnderstoryError('unsupported', `'${method}' needs a worker of this version`);
    }
    const reply = await call(method, body010(body), options);
    return method === 'scene.build' ? withModelCounts(reply) : reply;
  };
}

function hasEngine({ body }: Message): boolean {
  return typeof body === 'object' && body !== null && 'engine' in body;
}

/** With the empty hash, which no engine and no processor has, for those that it lacks. */
function withHashes({ body, columns }: Message): Message {
  return { body: { engine: '', reciprocals: '', ...(body as object) }, columns };
}

/** A scene's summary with what 0.1.0 did not count. */
function withModelCounts({ body, columns }: Message): Message {
  const summary = body as { models: object[] };
  const models = summary.models.map((model) => {
    return {
      nonPlanar: 0,
      selfIntersecting: 0,
      foliage: null,
      elements: 0,
      learnedSensor: null,
      learnedCrs: null,
      ...model,
    };
  });
  return { body: { ...summary, models }, columns };
}

/** A request as 0.1.0 takes it. */
function body010(body: unknown): unknown {
  const { sensor, ...rest } = body as { sensor?: { banks: unknown } };
  if (sensor === undefined) return body;
  const { banks, ...others } = sensor;
  const known = Object.entries(others).filter(([field]) => field !== 'intensity');
  return { ...rest, sensor: { ...Object.fromEntries(known), blocks: banks } };
}
