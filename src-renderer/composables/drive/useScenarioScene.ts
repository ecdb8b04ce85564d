// The scene of a scenario in the view of a run, before there is a run: read again whenever another one is wanted.
import { onScopeDispose, reactive, watch, type ShallowRef } from 'vue';
import { isCancelled } from '#contract/errors.ts';
import type { Progress } from '#contract/worker/worker.ts';
import { useClient } from '#renderer/client/injection.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { streamScene } from '#renderer/stores/scene/sceneStream.ts';
import type { RunViewer } from '#renderer/viewer/run/runViewer.ts';

export interface ScenarioScene {
  /** While it is built; null: it is there, or not wanted. */
  progress: Progress | null;
  /** Why it cannot be shown; null: it can, or is not known yet. */
  error: string | null;
}

/** `scenario`: null while none is wanted. `onScene`: contents are in the view, and models follow. Within a set-up. */
export function useScenarioScene(
  viewer: Readonly<ShallowRef<RunViewer | null>>,
  scenario: () => string | null,
  onScene: () => void,
): Readonly<ScenarioScene> {
  const client = useClient();
  const scene = reactive<ScenarioScene>({ progress: null, error: null });
  let reading = new AbortController();

  watch(
    [viewer, scenario],
    ([into, name]) => {
      reading.abort();
      reading = new AbortController();
      into?.clearScene();
      scene.error = null;
      scene.progress = null;
      if (into !== null && name !== null) void read(into, name, reading);
    },
    { immediate: true },
  );
  onScopeDispose(() => reading.abort());
  return scene;

  async function read(into: RunViewer, name: string, own: AbortController): Promise<void> {
    const { signal } = own;
    let hasCome = false;
    const ifWanted = (change: () => void): void => void (signal.aborted || change());
    try {
      await streamScene(client, { scenario: name, text: null }, signal, {
        progress: (next) => ifWanted(() => (scene.progress = hasCome ? null : next)),
        scene(contents, table) {
          hasCome = true;
          scene.progress = null;
          into.showScene(contents, table);
          onScene();
        },
        mesh: ({ model, level, triangles }) =>
          ifWanted(() => into.addMesh(model, level, triangles)),
        // The host need not hold it any longer.
        complete: () => own.abort(),
      });
    } catch (failure) {
      if (isCancelled(failure)) return;
      ifWanted(() => Object.assign(scene, { progress: null, error: sentenceOf(failure) }));
    }
  }
}
