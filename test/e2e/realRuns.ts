// Runs made by the real host without a page: what a test starts from when it is not about driving.
import type { Method, Replies, RequestInputOf } from '#contract/host/methods.ts';
import { ask } from '#test/support/context.ts';
import type { RealHost } from './browser.ts';

/** Calls the host as a page would, the request's defaults filled in. */
export async function callHost<M extends Method>(
  { understory }: RealHost,
  method: M,
  request: RequestInputOf<M>,
): Promise<Replies[M]> {
  return ask(understory.handlers, method, request);
}

/** Drives to the end of `seconds`. Returns the run's id. */
export async function driveRun(
  host: RealHost,
  request: RequestInputOf<'drive.start'>,
): Promise<string> {
  const { runId } = await callHost(host, 'drive.start', request);
  const { state, error } = await callHost(host, 'drive.watch', { runId, maxPoints: 0 });
  if (state !== 'finished') throw new Error(`the run is ${state}: ${error ?? ''}`);
  return runId;
}
