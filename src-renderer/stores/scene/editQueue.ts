// Work on a document, one piece after the other, each on what the one before left. A failure is reported, and the next
// piece is still done.
import { ref, type Ref } from 'vue';
import { sentenceOf } from '#renderer/logic/problems.ts';

export interface EditQueue {
  isBusy: Ref<boolean>;
  /** Why the last piece failed; null from the begin of the next one on. */
  error: Ref<string | null>;
  enqueue: (work: () => Promise<void>) => Promise<void>;
  /** False where the work failed, too. */
  enqueueCheck: (work: () => Promise<boolean>) => Promise<boolean>;
}

/** An empty queue. */
export function createEditQueue(): EditQueue {
  const isBusy = ref(false);
  const error = ref<string | null>(null);
  let last: Promise<unknown> = Promise.resolve();
  return {
    isBusy,
    error,
    enqueue: (work) => add(work, undefined),
    enqueueCheck: (work) => add(work, false),
  };

  function add<T>(work: () => Promise<T>, onFailure: T): Promise<T> {
    const next = last.then(async () => {
      isBusy.value = true;
      error.value = null;
      try {
        return await work();
      } catch (failure) {
        error.value = sentenceOf(failure);
        return onFailure;
      } finally {
        isBusy.value = false;
      }
    });
    last = next;
    return next;
  }
}
