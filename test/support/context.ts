// Calls of a host's handlers, without a front end.
import type { Method, Replies, RequestInputOf } from '#contract/host/methods.ts';
import { dispatch, type Handler, type HandlerContext, type Handlers } from '#services/handlers.ts';

/** A call that is not cancelled, and whose progress and chunks are dropped. Tests replace what they look at. */
export const callContext: HandlerContext = {
  signal: new AbortController().signal,
  progress: () => undefined,
  chunk: () => Promise.resolve(),
};

/** The reply to a call that is checked as one of a front end. */
export async function ask<M extends Method>(
  handlers: { [K in M]: Handler<K> },
  method: M,
  request: RequestInputOf<M>,
  context: Partial<HandlerContext> = {},
): Promise<Replies[M]> {
  const all = handlers as unknown as Handlers;
  return (await dispatch(all, method, request, { ...callContext, ...context })).reply;
}
