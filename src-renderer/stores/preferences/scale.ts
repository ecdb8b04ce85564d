// How large the page's words and controls are, one for the whole page; stored in this browser. Pictures take no
// part: they fill what room there is.
import { effectScope, readonly, ref, watchEffect, type Ref } from 'vue';
import { scaleFrom, scales } from '#renderer/logic/frame/uiScale.ts';
import { storedInBrowser } from '#renderer/browser/storedText.ts';

export interface ScaleState {
  /** 1: as drawn. */
  scale: Readonly<Ref<number>>;
  /** To the next larger (1) or smaller (-1) of the steps. */
  step: (by: 1 | -1) => void;
  reset: () => void;
}

const stored = storedInBrowser('scale');
let shared: ScaleState | null = null;

/** Keeps the custom property `--ui-scale` of the document right from the first call on. */
export function useScale(): ScaleState {
  shared ??= effectScope(true).run(createScale) ?? null;
  if (shared === null) throw new Error('the scope of the scale has ended');
  return shared;
}

function createScale(): ScaleState {
  const scale = ref(scaleFrom(stored.read()));
  watchEffect(() => document.documentElement.style.setProperty('--ui-scale', String(scale.value)));
  return {
    scale: readonly(scale),
    step: (by) => choose(scales[scales.indexOf(scale.value) + by] ?? scale.value),
    reset: () => choose(1),
  };

  function choose(next: number): void {
    scale.value = next;
    stored.write(String(next));
  }
}
