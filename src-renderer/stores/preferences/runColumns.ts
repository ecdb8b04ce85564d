// Which columns the table of runs shows: one choice for the whole page, stored in this browser.
import { computed, ref, type ComputedRef } from 'vue';
import type { RunSortKey } from '#contract/host/runQueries.ts';
import { textsOf } from '#renderer/logic/storedTexts.ts';
import { runColumns, type RunColumn } from '#renderer/logic/runs/runColumns.ts';
import { storedInBrowser } from '#renderer/browser/storedText.ts';

const stored = storedInBrowser('runColumns.hidden');
/** Why the hidden ones: a column that a later version adds is there. */
const hidden = ref<readonly string[]>(textsOf(stored.read()));
const shown = computed(() => runColumns.filter(({ key }) => !hidden.value.includes(key)));

/** The shown columns, shared by the whole page. A change is stored. */
export function useRunColumns(): {
  shown: ComputedRef<readonly RunColumn[]>;
  isShown: (key: RunSortKey) => boolean;
  toggle: (key: RunSortKey) => void;
} {
  return { shown, isShown: (key) => !hidden.value.includes(key), toggle };
}

function toggle(key: RunSortKey): void {
  const others = hidden.value.filter((one) => one !== key);
  hidden.value = others.length < hidden.value.length ? others : [...others, key];
  stored.write(JSON.stringify(hidden.value));
}
