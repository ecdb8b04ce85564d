// Scenes of runs for their views: read once for all runs of the same scene, as long as one of them is on screen. The one
// that was on screen last is kept.
import { defineStore } from 'pinia';
import { isCancelled } from '#contract/errors.ts';
import type { RunDetails } from '#contract/host/runMethods.ts';
import { useClient } from '#renderer/client/injection.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import {
  createSceneListeners,
  type SceneListener,
  type SceneListeners,
} from '../scene/sceneListeners.ts';
import { streamScene } from '../scene/sceneStream.ts';

export interface RunSceneListener extends SceneListener {
  /** It cannot be read. `reason`: a sentence for a person. */
  onFailed(reason: string): void;
}

interface RunScene {
  listeners: SceneListeners;
  users: Set<RunSceneListener>;
  reading: AbortController;
  isComplete: boolean;
}

export const useRunScenes = defineStore('runScenes', () => {
  const client = useClient();
  /** By the hash of the scene, the one that was used last at the end. */
  const scenes = new Map<string, RunScene>();
  return { subscribe };

  /** Gets what has come of the scene at once, and all that follows. Returns what ends the subscription. */
  function subscribe(
    { id, sceneHash }: { id: RunDetails['id']; sceneHash: string },
    listener: RunSceneListener,
  ): () => void {
    const scene = scenes.get(sceneHash) ?? begin(id, sceneHash);
    scenes.delete(sceneHash);
    scenes.set(sceneHash, scene);
    scene.users.add(listener);
    const end = scene.listeners.subscribe(listener);
    return () => {
      end();
      scene.users.delete(listener);
      forgetUnused();
    };
  }

  function forgetUnused(): void {
    const newest = [...scenes.keys()].at(-1);
    for (const [hash, { users, reading, isComplete }] of scenes) {
      if (users.size > 0 || (isComplete && hash === newest)) continue;
      reading.abort();
      scenes.delete(hash);
    }
  }

  function begin(runId: string, sceneHash: string): RunScene {
    const scene: RunScene = {
      listeners: createSceneListeners(),
      users: new Set(),
      reading: new AbortController(),
      isComplete: false,
    };
    void read(runId, scene).catch((failure: unknown) => {
      if (isCancelled(failure)) return;
      // Why: the next view of such a run tries again.
      scenes.delete(sceneHash);
      for (const user of scene.users) user.onFailed(sentenceOf(failure));
    });
    return scene;
  }

  async function read(runId: string, scene: RunScene): Promise<void> {
    const { listeners, reading } = scene;
    await streamScene(client, { runId }, reading.signal, {
      progress: () => undefined,
      scene: (contents, table) => listeners.show(contents, table, false),
      mesh: listeners.addMesh,
      complete: () => (scene.isComplete = true),
    });
  }
});
