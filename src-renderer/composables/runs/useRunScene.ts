// The scene of a run in its view: asked for once there are points on screen, so that the first picture is not later for
// it, and while it is not hidden.
import { onScopeDispose, ref, watch, type Ref, type ShallowRef } from 'vue';
import { useClient } from '#renderer/client/injection.ts';
import { sceneAir } from '#renderer/logic/scene/sceneAir.ts';
import { useRunScenes } from '#renderer/stores/runs/runScenes.ts';
import type { RunViewer } from '#renderer/viewer/run/runViewer.ts';

/** Returns why it cannot be shown; null: it can, or is not known yet. Within a set-up. */
export function useRunScene(
  viewer: Readonly<ShallowRef<RunViewer | null>>,
  runId: () => string | null,
  isWanted: () => boolean,
): Readonly<Ref<string | null>> {
  const client = useClient();
  const scenes = useRunScenes();
  const error = ref<string | null>(null);
  let end = (): void => undefined;

  watch(
    [viewer, () => (isWanted() ? runId() : null)],
    ([into, id]) => {
      end();
      into?.clearScene();
      error.value = null;
      if (into !== null && id !== null) end = begin(into, id);
    },
    { immediate: true },
  );
  onScopeDispose(() => end());
  return error;

  function begin(into: RunViewer, id: string): () => void {
    let isOver = false;
    let unsubscribe = (): void => undefined;
    // Why asked again: a run that has just begun has no scene when its details are read first.
    void client.call('runs.show', { runId: id }).then(
      ({ sceneHash }) => {
        if (isOver || sceneHash === null) return;
        void showAir(into, id, () => isOver);
        unsubscribe = scenes.subscribe(
          { id, sceneHash },
          {
            onScene: (contents, table) => into.showScene(contents, table),
            onMesh: ({ model, level, triangles }) => into.addMesh(model, level, triangles),
            onClosed: () => into.clearScene(),
            onFailed: (reason) => (error.value = reason),
          },
        );
      },
      // Why nothing: the view of the run itself shows what is wrong.
      () => undefined,
    );
    return () => {
      isOver = true;
      unsubscribe();
    };
  }

  async function showAir(into: RunViewer, id: string, isOver: () => boolean): Promise<void> {
    // Why nothing on failure: the scene without its weather is still the scene.
    const scenario = await client.call('runs.scenario', { runId: id }).catch(() => null);
    if (scenario !== null && !isOver()) into.setAir(sceneAir(scenario.document.scene));
  }
}
