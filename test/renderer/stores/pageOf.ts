// Stores without a page: a pinia whose stores get a client that a test answers for.
import { createPinia, setActivePinia } from 'pinia';
import { createApp, type InjectionKey } from 'vue';
import type { Columns } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { Client, ClientCallOptions, LinkState } from '#renderer/client/client.ts';
import { clientKey } from '#renderer/client/injection.ts';

type Answer = (request: unknown, options: ClientCallOptions) => unknown;

/** An answer with columns. */
export class WithColumns {
  readonly reply: unknown;
  readonly columns: Columns;
  constructor(reply: unknown, columns: Columns) {
    this.reply = reply;
    this.columns = columns;
  }
}

export interface FakePage {
  /** Sets the answer to a method from now on. */
  answer(method: string, how: Answer): void;
  link(state: LinkState): void;
  emit(name: string, body: unknown): void;
  /** Runs what belongs to a set-up. */
  within<T>(work: () => T): T;
  /** Methods that were called, in order. */
  readonly calls: string[];
}

/** Stores made from now on talk to the client of this page; its connection is open. `provided`: by the page, too. */
export function fakePage(
  provided: readonly (readonly [InjectionKey<unknown>, unknown])[] = [],
): FakePage {
  const answers = new Map<string, Answer>();
  const stateListeners: ((state: LinkState) => void)[] = [];
  const eventListeners = new Map<string, ((body: unknown) => void)[]>();
  const calls: string[] = [];
  const query = async (
    method: string,
    request: unknown,
    options: ClientCallOptions = {},
  ): Promise<{ reply: unknown; columns: Columns }> => {
    calls.push(method);
    const how = answers.get(method);
    if (how === undefined) throw new UnderstoryError('protocol', `no answer is set for ${method}`);
    const answer = await how(request, options);
    if (answer instanceof WithColumns) return { reply: answer.reply, columns: answer.columns };
    return { reply: answer, columns: {} };
  };
  const client = {
    query,
    call: async (method: string, request: unknown, options?: ClientCallOptions) =>
      (await query(method, request, options)).reply,
    onState(listener: (state: LinkState) => void) {
      stateListeners.push(listener);
      listener('open');
    },
    onEvent(name: string, listener: (body: unknown) => void) {
      eventListeners.set(name, [...(eventListeners.get(name) ?? []), listener]);
      return () => undefined;
    },
    dispose: () => undefined,
  } as unknown as Client;
  const pinia = createPinia();
  const app = createApp({}).use(pinia).provide(clientKey, client);
  for (const [key, value] of provided) app.provide(key, value);
  setActivePinia(pinia);
  return {
    calls,
    within: (work) => app.runWithContext(work),
    answer: (method, how) => void answers.set(method, how),
    link: (state) => {
      for (const listener of stateListeners) listener(state);
    },
    emit: (name, body) => {
      for (const listener of eventListeners.get(name) ?? []) listener(body);
    },
  };
}

/** A call that lasts until it is cancelled, as the client's do; `fail` ends it otherwise. */
export function untilCancelled(): { how: Answer; fail: (error: Error) => void } {
  let fail = (_: Error): void => undefined;
  return {
    how: (_, { signal }) =>
      new Promise((_resolve, reject) => {
        fail = reject;
        signal?.addEventListener('abort', () =>
          reject(new UnderstoryError('cancelled', 'the call was cancelled')),
        );
      }),
    fail: (error) => fail(error),
  };
}
