// Elements and points of learned models in the view of a scene, coloured by permeability; their triangles are drawn as
// those of any other model.
import { computed, onBeforeUnmount, watch, type ShallowRef } from 'vue';
import { field } from '#contract/documents/unknownData.ts';
import { useClient } from '#renderer/client/injection.ts';
import { fileSeenFrom } from '#domain/shared/fileNames.ts';
import { gatherModel } from '#renderer/logic/learn/modelTables.ts';
import { useMotionTime } from '#renderer/stores/scene/motionTime.ts';
import { useScene } from '#renderer/stores/scene/scene.ts';
import { useSceneEdit } from '#renderer/stores/scene/sceneEdit.ts';
import {
  createLearnedInstances,
  type LearnedInstances,
} from '#renderer/viewer/learn/learnedInstances.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';

/** Limits for all models together; the Learn page shows more. */
const maxModels = 4;
const most = { maxElements: 60_000, maxTriangles: 0, maxPoints: 200_000 };

/** Draws them while the component lives. */
export function useSceneElements(viewer: Readonly<ShallowRef<SceneViewer | null>>): void {
  const client = useClient();
  const scene = useScene();
  const edit = useSceneEdit();
  const motion = useMotionTime();
  let drawn: LearnedInstances | null = null;
  let latest = 0;

  /** The learned models of the scene as it is built: their indices and files. */
  const learned = computed(() => {
    const { file } = edit;
    if (file === null || edit.document !== scene.scenario) return [];
    return (scene.contents?.models ?? []).flatMap(({ name }, model) => {
      const own = field(field(field(edit.data, 'scene'), 'models'), name);
      const path = field(own, 'kind') === 'learned' ? field(own, 'file') : null;
      return typeof path === 'string' ? [{ model, file: fileSeenFrom(file, path) }] : [];
    });
  });

  watch(
    [viewer, () => scene.table, () => JSON.stringify(learned.value)],
    () => {
      drawn?.dispose();
      drawn = null;
      void draw();
    },
    { flush: 'post', immediate: true },
  );
  // Why after: the view moves the rows of the table.
  watch(
    () => motion.timeS,
    () => {
      if (scene.table !== null) drawn?.place(scene.table);
    },
    { flush: 'post' },
  );
  onBeforeUnmount(() => {
    latest += 1;
    drawn?.dispose();
  });

  async function draw(): Promise<void> {
    latest += 1;
    const mine = latest;
    const [made, table] = [viewer.value, scene.table];
    if (made === null || table === null) return;
    for (const { model, file } of learned.value.slice(0, maxModels)) {
      const asked = { model: file, ...most };
      const gathering = gatherModel();
      const reply = await client
        .call('learn.elements', asked, { onChunk: gathering.take })
        .catch(() => null);
      // Why silent: the scene itself reports a file that cannot be read.
      if (mine !== latest || reply === null) continue;
      drawn ??= createLearnedInstances(made.overlay('learned'), made.viewClip);
      drawn.add(gathering.joined(), table, model);
      made.invalidate();
    }
  }
}
