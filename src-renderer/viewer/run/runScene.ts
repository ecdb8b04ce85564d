// The scene of a run, behind its cloud: as the view of a scene draws it, and faded.
import { Plane, type Ray, Vector3 } from 'three';
import type { ViewClip } from '../engine/clip/clipUniforms.ts';
import { createBackdrop, type Backdrop } from '../engine/backdrop.ts';
import {
  createSceneLayer,
  type SceneLayer,
  type SceneLayerEvents,
  type SceneLayerView,
} from '../scene/sceneLayer.ts';

export interface RunScene extends Omit<
  SceneLayer,
  'object' | 'current' | 'isWaiting' | 'isEmpty' | 'rechoose'
> {
  readonly backdrop: Backdrop;
  /** 0: hidden; 1: as it is. */
  setOpacity: (opacity: number) => void;
  /** A scene is there, and not hidden. */
  isShown: () => boolean;
  /** Height of the ground; null where none is known. */
  heightAt: (xM: number, yM: number) => number | null;
  /** The place on the ground on a ray, without a scene at the height `levelM`; null: there is sky. */
  groundOn: (ray: Ray, levelM: number) => Vector3 | null;
}

/** Less than in the view of a scene: a cloud lies over it, and a drive may be under way. */
const pace = { minTriangles: 40_000, firstTriangles: 150_000 };

/** No scene at first. dispose() frees the graphics card. */
export function createRunScene(
  clip: ViewClip,
  view: SceneLayerView,
  on: SceneLayerEvents,
): RunScene {
  const layer = createSceneLayer(clip, view, on, { pace });
  const backdrop = createBackdrop(() => layer.current() !== null);
  backdrop.scene.add(layer.object);
  return {
    ...layer,
    backdrop,
    setOpacity: backdrop.setOpacity,
    isShown: backdrop.isShown,
    heightAt: (xM, yM) => layer.current()?.groundAt([xM, yM]) ?? null,
    groundOn(ray, levelM) {
      const content = layer.current();
      if (content !== null) return content.groundUnder(ray);
      return ray.intersectPlane(new Plane(new Vector3(0, 0, 1), -levelM), new Vector3());
    },
    dispose() {
      layer.dispose();
      backdrop.dispose();
    },
  };
}
