// The typed text of a field: it stays until the document's own value is another one.
import { expect, it, vi } from 'vitest';
import { effectScope, nextTick, shallowRef } from 'vue';
import { useDraft } from '#renderer/composables/forms/useDraft.ts';

it('stays while the document has the same value, though in a new list', async () => {
  const value = shallowRef<unknown>([1, 2]);
  const onNew = vi.fn();
  const draft = effectScope(true).run(() => useDraft(() => value.value, onNew))!;
  draft.value = '1, 2, x';
  value.value = [1, 2];
  await nextTick();
  expect([draft.value, onNew.mock.calls.length]).toEqual(['1, 2, x', 0]);
  value.value = [1, 3];
  await nextTick();
  expect([draft.value, onNew.mock.calls.length]).toEqual([null, 1]);
});
