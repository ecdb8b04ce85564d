// Ties the document that is edited to the view of the scene: opening, building again after a change, and
// one selection for both. And places that are clicked in the view.
import { toWorld } from '#contract/worldOrigin.ts';
import { defineStore } from 'pinia';
import { computed, ref, watch } from 'vue';
import { field, items } from '#contract/documents/unknownData.ts';
import type { PointM } from '#renderer/logic/scene/measuring.ts';
import { idOfName } from '#renderer/logic/scene/sceneObjects.ts';
import type { DocumentPath } from '#renderer/logic/forms/jsonSchema.ts';
import { valueAt } from '#renderer/logic/sceneEdit/sceneOutline.ts';
import { partAt } from '#renderer/logic/sceneEdit/sceneParts.ts';
import { useScene } from './scene.ts';
import { useSceneEdit } from './sceneEdit.ts';

/** Building a scene takes a second or more: it begins when nothing was changed for so long. */
const settleMs = 450;

export const useSceneLink = defineStore('sceneLink', () => {
  const scene = useScene();
  const edit = useSceneEdit();
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
  watch(() => edit.selectedPath, sendSelection);
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
    const path = edit.selectedPath;
    if (contents === null) return;
    const ids = path === null ? [] : idsOf(path);
    if (ids === null) return;
    sent = JSON.stringify(ids);
    if (JSON.stringify(scene.selection) !== sent) scene.select(ids);
  }

  /** Null: the view's own selection shows the part already. */
  function idsOf(path: DocumentPath): number[] | null {
    const { contents } = scene;
    const kind = partAt(path)?.kind;
    if (contents === null) return null;
    if (kind === 'scatter') {
      const name = nameAt(path);
      return scene.selected.some(({ scatter }) => scatter === name) ? null : [];
    }
    const name = kind === 'ground' ? 'ground' : nameAt(path);
    if (kind !== 'ground' && kind !== 'instance' && kind !== 'wall') return [];
    const id = idOfName(contents, name);
    if (id === null) return [];
    // Why: of several that are selected in the view, the document has the last one.
    return scene.selection.at(-1) === id ? null : [id];
  }

  function takeSelection(): void {
    if (pointing.value !== null || scene.contents !== shownContents) return;
    if (JSON.stringify(scene.selection) === sent) return;
    sent = JSON.stringify(scene.selection);
    const object = scene.selected.at(-1);
    if (object === undefined) {
      edit.select(null);
      return;
    }
    const path = pathOf(object.kind === 'copy' ? (object.scatter ?? '') : object.name, object.kind);
    if (path !== null) edit.select(path);
  }

  function pathOf(name: string, kind: string): DocumentPath | null {
    if (kind === 'ground') return ['scene', 'ground'];
    const list = kind === 'copy' ? 'scatters' : kind === 'wall' ? 'walls' : 'instances';
    const all = items(field(field(edit.data, 'scene'), list));
    const index = all.findIndex((one) => field(one, 'name') === name);
    return index === -1 ? standOf(name) : ['scene', list, index];
  }

  /** The stand whose tree has a name. */
  function standOf(name: string): DocumentPath | null {
    const stand = /^(.+)-[1-9][0-9]*$/.exec(name)?.[1];
    const all = items(field(field(edit.data, 'scene'), 'stands'));
    const index = all.findIndex((one) => field(one, 'name') === stand);
    return stand === undefined || index === -1 ? null : ['scene', 'stands', index];
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
