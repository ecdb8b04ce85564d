// Actions on the selected parts of the edited scenario, one or several: duplicate, delete, copy, paste, bring
// into line, put on the ground. Each is one step; what would break is asked about first.
import { defineStore } from 'pinia';
import { shallowRef, watch } from 'vue';
import type { DocumentEdit } from '#contract/host/documentMethods.ts';
import { formatPath } from '#contract/documents/problems.ts';
import { useClient } from '#renderer/client/injection.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import type { PlaceM } from '#renderer/logic/sceneEdit/groundShapes.ts';
import {
  deleteAll,
  duplicateAll,
  isEntry,
  isRemovable,
  titleOfParts,
  type DeletePlan,
} from '#renderer/logic/sceneEdit/manyParts.ts';
import { stopEdits } from '#renderer/logic/sceneEdit/motionEdits.ts';
import { copiedText, partsFrom, pasteEdits } from '#renderer/logic/sceneEdit/partsClipboard.ts';
import { partAt } from '#renderer/logic/sceneEdit/sceneParts.ts';
import { useChoices } from '../host/choices.ts';
import { usePartPlacing } from './partPlacing.ts';
import { usePartCommands } from './partCommands.ts';
import { useScene } from './scene.ts';
import { useSceneEdit } from './sceneEdit.ts';

export const usePartActions = defineStore('partActions', () => {
  const client = useClient();
  const edit = useSceneEdit();
  const scene = useScene();
  const choices = useChoices();
  const placing = usePartPlacing();
  /** A deletion that would break something, until it is confirmed. */
  const asked = shallowRef<DeletePlan | null>(null);
  /** Where parts are pasted, relative to the origin: what the pointer is over; null: it is elsewhere. */
  const pointerPlace = shallowRef<() => PlaceM | null>(() => null);

  watch(
    () => edit.selectedPaths,
    () => (asked.value = null),
  );
  usePartCommands({
    selected: () => edit.selectedPaths,
    isOpen: () => edit.file !== null,
    copiedText: copied,
    duplicate,
    remove,
    paste,
    ...placing,
    report: (sentence) => (edit.error = sentence),
  });
  return {
    asked,
    pointerPlace,
    duplicate,
    remove,
    removeBy,
    copied,
    paste,
    ...placing,
    canDuplicate: () => edit.selectedPaths.some(isEntry),
    canRemove: () => edit.selectedPaths.some(isRemovable),
  };

  function title(): string {
    return titleOfParts(edit.data, edit.selectedPaths);
  }

  async function duplicate(): Promise<void> {
    const { edits, paths } = duplicateAll(edit.data, edit.selectedPaths.filter(isEntry));
    if (edits.length > 0 && (await edit.apply(edits, `Duplicate ${title()}`)))
      edit.selectAll(paths);
  }

  /** At once where nothing depends on them; otherwise after it was said what would break. */
  function remove(): void {
    const plan = withStops(deleteAll(edit.data, edit.selectedPaths.filter(isRemovable)));
    if (plan.breaks.length === 0) void removeBy(plan.edits);
    else asked.value = plan;
  }

  async function removeBy(edits: readonly DocumentEdit[]): Promise<void> {
    asked.value = null;
    if (await edit.apply(edits, `Delete ${title()}`)) edit.select(null);
  }

  /** Without their motion, objects stay where they are at time 0. */
  function withStops(plan: DeletePlan): DeletePlan {
    const { value, selectedPaths } = edit;
    if (value === null || plan.withUsers === null) return plan;
    const motions = selectedPaths.filter((path) => partAt(path)?.kind === 'motion');
    const known = scene.contents?.motions ?? [];
    const stops = motions.flatMap((path) => stopEdits(value.scene, known, String(path.at(-1))));
    const isStop = new Set(stops.map(({ path }) => formatPath(path)));
    // Why: what stops an object sets the places that its motion leaves behind.
    const others = stops.length === 0 ? plan.withUsers : plan.edits;
    return {
      ...plan,
      withUsers: [...stops, ...others.filter(({ path }) => !isStop.has(formatPath(path)))],
    };
  }

  /** The selected parts as a text; null where none can be copied. */
  function copied(): string | null {
    const materialsOf = (plant: string): readonly string[] =>
      choices.plants.find(({ id }) => id === plant)?.materials ?? [];
    return copiedText(edit.data, edit.selectedPaths, edit.file ?? '', materialsOf);
  }

  async function paste(text: string): Promise<void> {
    const { file } = edit;
    if (file === null) return;
    const read = await client
      .call('document.edit', { kind: 'scenario', text, edits: [] })
      .catch((failure: unknown) => sentenceOf(failure));
    const parts = typeof read === 'string' ? read : partsFrom(read.data);
    if (typeof parts === 'string') {
      edit.error = parts;
      return;
    }
    const atM = pointerPlace.value();
    const { edits, paths } = pasteEdits(edit.data, parts, { file, atM, groundM: placing.groundM });
    const what = paths.length === 1 ? '1 part' : `${paths.length} parts`;
    if (await edit.apply(edits, `Paste ${what}`)) edit.selectAll(paths);
  }
});
