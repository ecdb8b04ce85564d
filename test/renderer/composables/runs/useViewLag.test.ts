// A view of a run that is behind the numbers beside it for a while states its time.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { effectScope, nextTick, ref, shallowRef } from 'vue';
import { useViewLag } from '#renderer/composables/runs/useViewLag.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('names the time of a late view until it is drawn', async () => {
  let draw = (_: number | null): void => undefined;
  const viewer = shallowRef({
    onDrawn: (listener: (timeS: number | null) => void) => void (draw = listener),
  });
  const numbersS = ref<number | null>(null);
  const scope = effectScope();
  const text = scope.run(() => useViewLag(viewer, () => numbersS.value));
  const goOn = async (ms: number): Promise<void> => {
    await nextTick();
    await vi.advanceTimersByTimeAsync(ms);
  };

  // Drawn within a frame, as on most machines.
  numbersS.value = 1;
  await goOn(16);
  draw(1);
  await goOn(5000);
  expect(text?.value).toBe('');

  numbersS.value = 2.4;
  await goOn(300);
  expect(text?.value).toBe('');
  await goOn(200);
  expect(text?.value).toBe('View of 1.0 s');
  numbersS.value = 3.1;
  draw(2.4);
  await goOn(0);
  expect(text?.value).toBe('View of 2.4 s');
  draw(3.1);
  await goOn(0);
  expect(text?.value).toBe('');

  numbersS.value = 4;
  await goOn(0);
  scope.stop();
  await goOn(5000);
  expect(text?.value).toBe('');
});
