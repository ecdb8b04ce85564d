// The one place where requests of unknown shape are checked.
import { expect, test } from 'vitest';
import { UnderstoryError } from '#contract/errors.ts';
import { requests } from '#contract/host/methods.ts';
import { dispatch, serveHandlers, type HandlerContext, type Handlers } from '#services/handlers.ts';

const context = {
  signal: new AbortController().signal,
  connection: new AbortController().signal,
  progress: () => undefined,
  chunk: () => Promise.resolve(),
} satisfies HandlerContext;

/** Answers every method with the request that reached it. */
const echo = Object.fromEntries(
  Object.keys(requests).map((method) => [method, (request: unknown) => ({ reply: request })]),
) as unknown as Handlers;

test('a request reaches its handler checked, with its defaults', async () => {
  const { reply } = await dispatch(echo, 'runs.scans', { runId: '0199' }, context);
  expect(reply).toEqual({ runId: '0199', minReturns: 1 });
});

test('every problem of a request is reported, unknown keys included', async () => {
  const request = { scenario: 3, camera: { positionM: [0, 0], yawDeg: 0 }, colour: 'red' };
  const error = await dispatch(echo, 'render.start', request, context).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(UnderstoryError);
  const { code, details } = error as UnderstoryError;
  expect(code).toBe('bad-input');
  const problems = details['problems'] as { path: string }[];
  expect(problems.map(({ path }) => path).sort()).toEqual([
    'camera.positionM',
    'colour',
    'scenario',
  ]);
});

test('a channel is served every method of the contract and no other', async () => {
  const serve = serveHandlers(echo);
  expect(Object.keys(serve).sort()).toEqual(Object.keys(requests).sort());
  const answer = await serve['runs.show']?.({ body: { runId: 'x' }, columns: {} }, context);
  expect(answer).toEqual({ body: { runId: 'x' }, columns: {} });
});
