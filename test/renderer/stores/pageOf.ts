// Stores without a page: a pinia whose stores get a client that a test answers for.
import { createPinia, setActivePinia } from 'pinia';
import { createApp } from 'vue';
import type { Columns } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { Client, ClientCallOptions, LinkState } from '#renderer/client/client.ts';
import { clientKey } from '#renderer/client/injection.ts';

type Answer = (request: unknown, options: ClientCallOptions) => unknown;

export interface FakePage {
  /** Of a method, from now on. */
  answer(method: string, how: Answer): void;
  link(state: LinkState): void;
  emit(name: string, body: unknown): void;
  /** Methods that were called, in order. */
  readonly calls: string[];
}

/** Stores made from now on talk to the client of this page; its connection is open. */
export function fakePage(): FakePage {
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
    return { reply: await how(request, options), columns: {} };
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
  createApp({}).use(pinia).provide(clientKey, client);
  setActivePinia(pinia);
  return {
    calls,
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
