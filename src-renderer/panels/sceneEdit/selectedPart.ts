// The part that is selected in the scenario, as its form, its header and its commands see it.
import { computed, type ComputedRef } from 'vue';
import { formatPath } from '#contract/documents/problems.ts';
import type { DocumentPath } from '#renderer/logic/forms/jsonSchema.ts';
import { outlineOf, valueAt, type OutlineItem } from '#renderer/logic/sceneEdit/sceneOutline.ts';
import { partAt, type PartKind } from '#renderer/logic/sceneEdit/sceneParts.ts';
import { useSceneEdit } from '#renderer/stores/scene/sceneEdit.ts';
import { useScenePlan } from '#renderer/stores/scene/scenePlan.ts';

export interface SelectedPart {
  kind: PartKind;
  path: DocumentPath;
  /** The path as problems write it. */
  key: string;
  /** Plain, whatever of it is right. */
  data: unknown;
  item: OutlineItem;
}

/** Null while nothing is selected, or what is selected is no part that has a form. */
export function useSelectedPart(): ComputedRef<SelectedPart | null> {
  const edit = useSceneEdit();
  const plan = useScenePlan();
  const item = computed(() => {
    const { selectedPath: path } = edit;
    if (path === null) return undefined;
    const key = formatPath(path);
    return outlineOf(edit.data, edit.problems, plan.summary)
      .flatMap(({ items }) => items)
      .find((one) => one.key === key);
  });
  return computed(() => {
    const { selectedPath: path } = edit;
    const kind = path === null ? undefined : partAt(path)?.kind;
    if (path === null || kind === undefined || item.value === undefined) return null;
    const { key } = item.value;
    return { kind, path, key, data: valueAt(edit.data, path), item: item.value };
  });
}
