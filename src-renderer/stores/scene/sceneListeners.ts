// Listeners of the open scene: each gets what has come so far at once, and all that follows. Triangles are not
// reactive:
// they go straight to the listeners.
import type { SceneContents } from '#contract/host/sceneMethods.ts';
import type { InstanceTable } from '#renderer/logic/scene/instanceTable.ts';
import type { ModelTriangles } from '#renderer/logic/scene/surfaceMesh.ts';

/** A level of a model, as it came. */
export interface ArrivedMesh {
  model: number;
  level: number;
  triangles: ModelTriangles;
}

export interface SceneListener {
  /** `isSame`: the same scenario as before, built again. */
  onScene(contents: SceneContents, table: InstanceTable, isSame: boolean): void;
  onMesh(mesh: ArrivedMesh): void;
  onClosed(): void;
}

export interface SceneListeners {
  /** Returns what ends the subscription. */
  subscribe: (listener: SceneListener) => () => void;
  show: (contents: SceneContents, table: InstanceTable, isSame: boolean) => void;
  addMesh: (mesh: ArrivedMesh) => void;
  close: () => void;
}

/** Listeners without a scene. */
export function createSceneListeners(): SceneListeners {
  const listeners = new Set<SceneListener>();
  let scene: { contents: SceneContents; table: InstanceTable } | null = null;
  let meshes: ArrivedMesh[] = [];
  return {
    subscribe(listener) {
      listeners.add(listener);
      if (scene !== null) {
        listener.onScene(scene.contents, scene.table, false);
        for (const mesh of meshes) listener.onMesh(mesh);
      }
      return () => void listeners.delete(listener);
    },
    show(contents, table, isSame) {
      scene = { contents, table };
      meshes = [];
      for (const listener of listeners) listener.onScene(contents, table, isSame);
    },
    addMesh(mesh) {
      meshes.push(mesh);
      for (const listener of listeners) listener.onMesh(mesh);
    },
    close() {
      scene = null;
      meshes = [];
      for (const listener of listeners) listener.onClosed();
    },
  };
}
