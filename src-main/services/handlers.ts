// The type of a service: for each noun of contract/host/methods.ts an object of handlers, one a method. The types
// derive from the contract, so that a missing, misspelt or doubled method does not typecheck.
import type { Columns } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import { requests, type Method, type Replies, type RequestOf } from '#contract/host/methods.ts';
import { parseWith } from '#contract/documents/problems.ts';
import type { Serve } from '#contract/wire/rpc.ts';
import type { Progress } from '#contract/worker/worker.ts';

/** Context of a request, whichever front end sent it. */
export interface HandlerContext {
  /** Aborted when the caller cancels; the handler then ends with 'cancelled'. */
  signal: AbortSignal;
  /** Aborted when the caller's connection closes; left out: the caller is in this process. */
  connection?: AbortSignal;
  progress: (progress: Progress) => void;
  /** Sends a part of the answer; resolves when another may be sent. */
  chunk: (body: unknown, columns: Columns) => Promise<void>;
  /** Columns of the request; left out: none. Methods that take columns say so in the contract. */
  columns?: Columns;
}

/** The end of a call: its reply and, where the contract declares them, columns. */
export interface Answer<T> {
  reply: T;
  columns?: Columns;
}

export type Handler<M extends Method> = (
  request: RequestOf<M>,
  context: HandlerContext,
) => Promise<Answer<Replies[M]>> | Answer<Replies[M]>;

/** 'scan', 'drive', 'runs' …: the part of a method's name before the dot. */
export type Noun = Method extends `${infer N}.${string}` ? N : never;

/** The handlers of one noun, or of all. */
export type Handlers<N extends Noun = Noun> = {
  [M in Extract<Method, `${N}.${string}`>]: Handler<M>;
};

/** The handlers of each noun. */
export type HandlersByNoun = { [N in Noun]: Handlers<N> };

/** Puts the services together: one object for each noun, none missing, none twice. */
export function mergeHandlers(byNoun: HandlersByNoun): Handlers {
  return Object.assign({}, ...Object.values(byNoun)) as Handlers;
}

/** Answers one request of unknown shape. @throws UnderstoryError 'bad-input' with details.problems */
export async function dispatch<M extends Method>(
  handlers: Handlers,
  method: M,
  request: unknown,
  context: HandlerContext,
): Promise<Answer<Replies[M]>> {
  const parsed = parseWith(requests[method], request);
  if (parsed.value === null) {
    throw new UnderstoryError('bad-input', `the request '${method}' was refused`, {
      problems: parsed.problems,
    });
  }
  // Why: TypeScript cannot see that handler and request share M once M is a union.
  const handler = handlers[method] as unknown as Handler<M>;
  return handler(parsed.value as RequestOf<M>, context);
}

/** The same handlers for the far end of a channel (contract/wire/rpc.ts). */
export function serveHandlers(handlers: Handlers): Record<string, Serve> {
  const serve: Record<string, Serve> = {};
  for (const method of Object.keys(requests) as Method[]) {
    serve[method] = async (request, context) => {
      const given = { ...context, columns: request.columns };
      const { reply, columns = {} } = await dispatch(handlers, method, request.body, given);
      return { body: reply, columns };
    };
  }
  return serve;
}
