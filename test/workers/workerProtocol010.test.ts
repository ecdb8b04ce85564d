// Workers of 0.1.0 in `bench pair`: protocol010.json holds calls that were recorded from the worker of commit 6e90568.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Message } from '#contract/wire/rpc.ts';
import { checkedReply, type WorkerMethodName } from '#contract/worker/workerMethods.ts';
import { eitherProtocol } from '#workers/workerProtocol010.ts';
import { sensorRecipe } from './realWorker.ts';

interface Recorded {
  hello: object;
  'scene.build': { request: object; reply: object };
  'bench.native': { request: object; reply: object };
}
const recorded = JSON.parse(
  readFileSync(new URL('protocol010.json', import.meta.url), 'utf8'),
) as Recorded;

/** A worker with recorded answers, and its requests. */
function recordedWorker(hello: object) {
  const asked: { method: string; body: unknown }[] = [];
  const call = eitherProtocol((method, body): Promise<Message> => {
    asked.push({ method, body });
    const { reply } = method === 'hello' ? { reply: hello } : recorded[method as 'scene.build'];
    return Promise.resolve({ body: reply, columns: {} });
  });
  const ask = async (method: WorkerMethodName, body: object): Promise<unknown> =>
    checkedReply(method, await call(method, body)).body;
  return { asked, ask };
}

describe('a worker of 0.1.0', () => {
  it('gets requests and gives replies as they were recorded', async () => {
    const { asked, ask } = recordedWorker(recorded.hello);
    expect(await ask('hello', {})).toEqual({
      ...recorded.hello,
      engine: '',
      learner: '',
      reciprocals: '',
    });
    const scene = recorded['scene.build'];
    expect(await ask('scene.build', scene.request)).toMatchObject(scene.reply);
    const { request, reply } = recorded['bench.native'];
    const sensor = { ...(await sensorRecipe('vlp-16-goodin2018')), id: 'vlp-16' };
    expect(await ask('bench.native', { ...request, sensor })).toEqual(reply);
    expect(asked.slice(1)).toEqual([
      { method: 'scene.build', body: scene.request },
      { method: 'bench.native', body: request },
    ]);
  });

  it('is called for nothing that has changed otherwise', async () => {
    const { asked, ask } = recordedWorker(recorded.hello);
    await ask('hello', {});
    await expect(ask('scene.mesh', {})).rejects.toMatchObject({ code: 'unsupported' });
    expect(asked).toHaveLength(1);
  });
});

it('a worker of the present protocol is called as it is', async () => {
  const { asked, ask } = recordedWorker({ ...recorded.hello, engine: '1f' });
  const body = { sensor: { banks: [] } };
  expect(await ask('hello', {})).toMatchObject({ engine: '1f' });
  await ask('bench.native', body);
  expect(asked[1]?.body).toBe(body);
});
