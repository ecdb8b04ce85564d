// Which parts of the edited scenario are selected, the last one first of all: it has the form.
import { computed, shallowRef, watch, type ComputedRef, type Ref } from 'vue';
import { formatPath } from '#contract/documents/problems.ts';
import type { DocumentPath } from '#renderer/logic/forms/jsonSchema.ts';
import { valueAt } from '#renderer/logic/sceneEdit/sceneOutline.ts';

export interface ScenarioSelection {
  selectedPaths: Ref<readonly DocumentPath[]>;
  /** The last one; null: nothing is selected. */
  selectedPath: ComputedRef<DocumentPath | null>;
  select: (path: DocumentPath | null) => void;
  /** Each once. */
  selectAll: (paths: readonly DocumentPath[]) => void;
  /** Adds a part, or leaves it out where it is selected. */
  toggle: (path: DocumentPath) => void;
}

/** `data`: the parsed text. A part that is in the text no more is selected no more. Within a set-up. */
export function useScenarioSelection(data: Readonly<Ref<unknown>>): ScenarioSelection {
  const selectedPaths = shallowRef<readonly DocumentPath[]>([]);
  const isThere = (path: DocumentPath): boolean =>
    data.value === null || isAlwaysThere(path) || valueAt(data.value, path) !== undefined;
  const dropWhatIsGone = (): void => {
    if (!selectedPaths.value.every(isThere)) selectAll(selectedPaths.value.filter(isThere));
  };
  watch(data, dropWhatIsGone, { flush: 'sync' });
  return {
    selectedPaths,
    selectedPath: computed(() => selectedPaths.value.at(-1) ?? null),
    select: (path) => selectAll(path === null ? [] : [path]),
    selectAll,
    toggle(path) {
      const key = formatPath(path);
      const others = selectedPaths.value.filter((one) => formatPath(one) !== key);
      selectAll(others.length < selectedPaths.value.length ? others : [...others, path]);
    },
  };

  function selectAll(paths: readonly DocumentPath[]): void {
    const keys = paths.map(formatPath);
    selectedPaths.value = paths.filter((_, index) => keys.lastIndexOf(keys[index] ?? '') === index);
  }
}

/** Parts that have a form even where nothing of them is written. */
function isAlwaysThere(path: DocumentPath): boolean {
  return path.length === 0 || /^(scene\/ground|vehicle|navigation)$/.test(path.join('/'));
}
