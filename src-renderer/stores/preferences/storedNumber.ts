// Numbers that are chosen once for the whole page.
import { computed, shallowRef, type ShallowRef, type WritableComputedRef } from 'vue';
import { storedInBrowser } from '#renderer/browser/storedText.ts';

/** Setting it saves it in this browser. `valueOf`: of what is stored, NaN where nothing is. */
export function storedNumber<N extends number>(
  name: string,
  valueOf: (stored: number) => N,
): WritableComputedRef<N> {
  const saved = storedInBrowser(name);
  const chosen: ShallowRef<N> = shallowRef(valueOf(Number(saved.read() ?? NaN)));
  return computed<N>({
    get: () => chosen.value,
    set: (next) => {
      chosen.value = next;
      saved.write(String(next));
    },
  });
}
