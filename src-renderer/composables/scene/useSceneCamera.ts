// Where the eye of a picture of a scene is, and what its last frame came to: told after each frame.
import { shallowRef, watch, type ShallowRef } from 'vue';
import { Vector3 } from 'three';
import type { PointM } from '#renderer/logic/scene/measuring.ts';
import type { SceneFigures, SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';

export interface SceneEye {
  positionM: PointM;
  /** Unit, world. */
  forward: PointM;
  /** The world's axes as the eye sees them: right, up, towards it. */
  axes: readonly PointM[];
}

export function useSceneEye(viewer: Readonly<ShallowRef<SceneViewer | null>>): {
  eye: Readonly<ShallowRef<SceneEye>>;
  figures: Readonly<ShallowRef<SceneFigures | null>>;
} {
  const eye = shallowRef<SceneEye>({ positionM: [0, 0, 0], forward: [1, 0, 0], axes: [] });
  const figures = shallowRef<SceneFigures | null>(null);
  const look = new Vector3();

  watch(viewer, (made) => {
    made?.onFrame(() => {
      figures.value = made.figures();
      const { camera } = made.camera;
      const of = camera.matrixWorldInverse.elements;
      const axes = [0, 4, 8].map((at) => [of[at] ?? 0, of[at + 1] ?? 0, of[at + 2] ?? 0] as const);
      const forward = camera.getWorldDirection(look).toArray();
      eye.value = { positionM: camera.position.toArray(), forward, axes };
    });
  });
  return { eye, figures };
}
