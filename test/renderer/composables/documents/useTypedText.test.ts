// A text as it is typed: sent once typing rests, and never overwritten by the host's answer to older text.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { effectScope, nextTick, ref, type Ref } from 'vue';
import { useTypedText } from '#renderer/composables/documents/useTypedText.ts';
import { held } from '#test/renderer/stores/browserStubs.ts';

let text: Ref<string>;
/** Texts that were sent, and how to answer them. */
let sent: { typed: string; answer: () => void }[];

beforeEach(() => {
  vi.useFakeTimers();
  [text, sent] = [ref('a'), []];
});
afterEach(() => vi.useRealTimers());

const open = () =>
  effectScope(true).run(() =>
    useTypedText(
      () => text.value,
      (typed) => {
        const { promise, resolve } = held<undefined>();
        const answer = (): void => {
          text.value = typed;
          resolve(undefined);
        };
        sent.push({ typed, answer });
        return promise;
      },
    ),
  )!;

function type(field: ReturnType<typeof open>, next: string): void {
  field.draft.value = next;
  field.onInput();
}

it('is sent once, when nothing was typed for a while', async () => {
  const field = open();
  for (const next of ['ab', 'abc']) {
    type(field, next);
    await vi.advanceTimersByTimeAsync(400);
  }
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(sent.map(({ typed }) => typed)).toEqual(['abc']);
});

it('is sent at once where the field is left, and not again', async () => {
  const field = open();
  type(field, 'ab');
  void field.settle();
  sent[0]?.answer();
  await vi.advanceTimersByTimeAsync(1000);
  await field.settle();
  expect(sent).toHaveLength(1);
  expect(field.isWaiting.value).toBe(false);
});

it('stays as it is typed while older text is answered', async () => {
  const field = open();
  type(field, 'ab');
  await vi.advanceTimersByTimeAsync(500);
  type(field, 'abc');
  sent[0]?.answer();
  await vi.advanceTimersByTimeAsync(0);
  expect([field.draft.value, field.isWaiting.value]).toEqual(['abc', true]);
  await vi.advanceTimersByTimeAsync(500);
  sent[1]?.answer();
  await vi.advanceTimersByTimeAsync(0);
  expect([field.draft.value, field.isWaiting.value]).toEqual(['abc', false]);
});

it('follows the document where nothing is typed, as by undo', async () => {
  const field = open();
  expect(field.draft.value).toBe('a');
  text.value = 'undone';
  await nextTick();
  expect(field.draft.value).toBe('undone');
});
