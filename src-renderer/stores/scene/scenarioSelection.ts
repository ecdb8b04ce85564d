// Which part of the edited scenario is selected.
import { shallowRef, watch, type Ref } from 'vue';
import type { DocumentPath } from '#renderer/logic/forms/jsonSchema.ts';
import { valueAt } from '#renderer/logic/sceneEdit/sceneOutline.ts';

/** `data`: the parsed text. A part that is in the text no more is selected no more. Within a set-up. */
export function useScenarioSelection(data: Readonly<Ref<unknown>>): Ref<DocumentPath | null> {
  const selectedPath = shallowRef<DocumentPath | null>(null);
  const dropWhatIsGone = (): void => {
    const { value: path } = selectedPath;
    if (path === null || data.value === null || isAlwaysThere(path)) return;
    if (valueAt(data.value, path) === undefined) selectedPath.value = null;
  };
  watch(data, dropWhatIsGone, { flush: 'sync' });
  return selectedPath;
}

/** Parts that have a form even where nothing of them is written. */
function isAlwaysThere(path: DocumentPath): boolean {
  return path.length === 0 || /^(scene\/ground|vehicle|navigation)$/.test(path.join('/'));
}
