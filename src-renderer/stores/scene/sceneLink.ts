// Ties the document that is edited to the view of the scene: opening, building again after a change, and
// one selection for both. And places that are clicked in the view.
import { toWorld } from '#contract/worldOrigin.ts';
import { scatterOfCopy } from '#contract/worker/instanceNames.ts';
import { defineStore } from 'pinia';
import { computed, ref, watch } from 'vue';
import { formatPath } from '#contract/documents/problems.ts';
import { field, items } from '#contract/documents/unknownData.ts';
import type { PointM } from '#renderer/logic/scene/measuring.ts';
import { idOfName, type SceneObject } from '#renderer/logic/scene/sceneObjects.ts';
import type { DocumentPath } from '#renderer/logic/forms/jsonSchema.ts';
import { valueAt } from '#renderer/logic/sceneEdit/sceneOutline.ts';
import { partAt } from '#renderer/logic/sceneEdit/sceneParts.ts';
import { usePartStates } from './partStates.ts';
import { useScene } from './scene.ts';
import { useSceneEdit } from './sceneEdit.ts';

/** Building a scene takes a second or more: it begins when nothing was changed for so long. */
const settleMs = 450;

export const useSceneLink = defineStore('sceneLink', () => {
  const scene = useScene();
  const edit = useSceneEdit();
  const parts = usePartStates();
  /** The purpose of the next click in the view; null: none. */
  const pointing = ref<string | null>(null);
  const canPoint = computed(() => scene.viewer !== null && scene.contents !== null);
  let settling: ReturnType<typeof setTimeout> | undefined;
  /** The selection that was given to the view last, so that its echo changes nothing here. */
  let sent = '';
  let shownContents = scene.contents;
  let stopPointing: (() => void) | null = null;

  watch(
    () => scene.scenario,
    (scenario) => void (scenario === null ? edit.close() : edit.open(scenario, scene.text)),
    { immediate: true },
  );
  watch(
    () => edit.document,
    (document) => {
      // After saving under another name: the same scene, known by its file.
      if (document !== null && scene.scenario !== null) scene.scenario = document;
    },
  );
  watch(
    () => [edit.document, edit.value, edit.text] as const,
    () => {
      clearTimeout(settling);
      settling = setTimeout(showInScene, settleMs);
    },
  );
  watch(() => scene.contents, sendSelection);
  watch(() => edit.selectedPaths, sendSelection);
  watch(() => scene.selection, takeSelection);
  return { pointing, canPoint, pointAt, cancelPointing };

  function showInScene(): void {
    if (edit.value === null || edit.document === null || edit.document !== scene.scenario) return;
    const isAsInFile = scene.text === null && !edit.isDirty;
    if (!isAsInFile) void scene.showText(edit.text);
  }

  function sendSelection(): void {
    const { contents } = scene;
    shownContents = contents;
    if (contents === null || areSame(edit.selectedPaths, shownPaths())) return;
    const ids = edit.selectedPaths.map(idsOf);
    // Why not yet: a part that was added or renamed is in the view once the scene is built again.
    if (ids.includes(null)) return;
    sent = JSON.stringify(ids.flat());
    if (JSON.stringify(scene.selection) !== sent) scene.select(ids.flatMap((one) => one ?? []));
  }

  /** Parts of the objects that are selected in the view, each once, the last one last. */
  function shownPaths(): DocumentPath[] {
    return scene.selected.flatMap((object) => {
      const path = pathOf(object);
      return path === null ? [] : [path];
    });
  }

  /** None for a part that is no object; null: the view does not have it yet. */
  function idsOf(path: DocumentPath): number[] | null {
    const kind = partAt(path)?.kind;
    const isObject = kind === 'ground' || kind === 'instance' || kind === 'wall';
    if (scene.contents === null || !isObject) return [];
    const id = idOfName(scene.contents, kind === 'ground' ? 'ground' : nameAt(path));
    if (id !== null) return [id];
    return kind === 'ground' ? [] : null;
  }

  function takeSelection(): void {
    if (pointing.value !== null || scene.contents !== shownContents) return;
    if (JSON.stringify(scene.selection) === sent) return;
    sent = JSON.stringify(scene.selection);
    const paths = shownPaths();
    const [path] = paths;
    if (path !== undefined && paths.length === 1) parts.pick(path);
    else if (paths.length > 0 || scene.selection.length === 0) edit.selectAll(paths);
  }

  function pathOf({ kind, name: own, scatter }: SceneObject): DocumentPath | null {
    if (kind === 'ground') return ['scene', 'ground'];
    const name = kind === 'copy' ? (scatter ?? '') : own;
    const list = kind === 'copy' ? 'scatters' : kind === 'wall' ? 'walls' : 'instances';
    const all = items(field(field(edit.data, 'scene'), list));
    const index = all.findIndex((one) => field(one, 'name') === name);
    return index === -1 ? standOf(name) : ['scene', list, index];
  }

  /** The stand whose tree has a name. */
  function standOf(name: string): DocumentPath | null {
    const stand = scatterOfCopy(name);
    const all = items(field(field(edit.data, 'scene'), 'stands'));
    const index = all.findIndex((one) => field(one, 'name') === stand);
    return stand === null || index === -1 ? null : ['scene', 'stands', index];
  }

  function nameAt(path: DocumentPath): string {
    const name = field(valueAt(edit.data, path), 'name');
    return typeof name === 'string' ? name : '';
  }

  /** The next click in the view as a place in the world; Escape cancels. `what`: the hint until then. */
  function pointAt(what: string): Promise<PointM | 'cancelled'> {
    stopPointing?.();
    pointing.value = what;
    return new Promise((resolve) => {
      const before = scene.clickHandler;
      const end = (result: PointM | 'cancelled'): void => {
        removeEventListener('keydown', onKey, true);
        scene.clickHandler = before;
        pointing.value = null;
        stopPointing = null;
        resolve(result);
      };
      const onKey = (event: KeyboardEvent): void => {
        if (event.key !== 'Escape') return;
        event.stopImmediatePropagation();
        end('cancelled');
      };
      const round = (metres: number): number => Math.round(metres * 1000) / 1000;
      scene.clickHandler = (placeM) => {
        const [x, y, z] = toWorld(scene.contents?.originM ?? [0, 0, 0], placeM);
        end([round(x), round(y), round(z)]);
      };
      addEventListener('keydown', onKey, true);
      stopPointing = () => end('cancelled');
    });
  }

  function cancelPointing(): void {
    stopPointing?.();
  }
});

/** The order apart from the last one does not count, nor how often one is there. */
function areSame(one: readonly DocumentPath[], other: readonly DocumentPath[]): boolean {
  const [keys, others] = [one.map(formatPath), other.map(formatPath)];
  return (
    keys.at(-1) === others.at(-1) && new Set(keys).symmetricDifference(new Set(others)).size === 0
  );
}
