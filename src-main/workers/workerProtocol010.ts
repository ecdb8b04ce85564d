// The protocol of workers of version 0.1.0 (commit 6e90568), for `bench pair` alone: a comparison needs an older
// worker. Guarantee: a worker of the present protocol is called as it is.
//
// What differs in the calls of `bench pair`: hello has no `engine`, and a sensor's `banks` are its `blocks`.
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
      return is010 ? withoutEngine(reply) : reply;
    }
    if (!is010) return call(method, body, options);
    if (!methods.includes(method)) {
      throw new UnderstoryError('unsupported', `'${method}' needs a worker of this version`);
    }
    return call(method, body010(body), options);
  };
}

function hasEngine({ body }: Message): boolean {
  return typeof body === 'object' && body !== null && 'engine' in body;
}

/** With the empty hash, which no engine has. */
function withoutEngine({ body, columns }: Message): Message {
  return { body: { ...(body as object), engine: '' }, columns };
}

/** A request as 0.1.0 takes it. */
function body010(body: unknown): unknown {
  const { sensor, ...rest } = body as { sensor?: { banks: unknown } };
  if (sensor === undefined) return body;
  const { banks, ...others } = sensor;
  return { ...rest, sensor: { ...others, blocks: banks } };
}
