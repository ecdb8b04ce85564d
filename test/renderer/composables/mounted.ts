// A component without a page, for what belongs to a set-up: it is mounted and unmounted, and draws nothing.
import { createRenderer } from 'vue';
import { clientKey, useClient } from '#renderer/client/injection.ts';
import type { FakePage } from '#test/renderer/stores/pageOf.ts';

const { createApp } = createRenderer<object, object>({
  patchProp: () => undefined,
  insert: () => undefined,
  remove: () => undefined,
  createElement: () => ({}),
  createText: () => ({}),
  createComment: () => ({}),
  setText: () => undefined,
  setElementText: () => undefined,
  parentNode: () => null,
  nextSibling: () => null,
});

interface Mounted<T> {
  /** The value that the set-up returned. */
  result: T;
  unmount: () => void;
}

/** `setup` with the client and the stores of the page. */
export function mounted<T>(page: FakePage, setup: () => T): Mounted<T> {
  let made: { result: T } | null = null;
  const app = createApp({
    setup: () => {
      made = { result: setup() };
      return () => null;
    },
  });
  app.provide(clientKey, page.within(useClient));
  app.mount({});
  if (made === null) throw new Error('the component was not set up');
  return { result: (made as { result: T }).result, unmount: () => app.unmount() };
}
