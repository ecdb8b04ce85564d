// The camera as levels of detail need it, and the first view of a scene.
import { type PerspectiveCamera, Vector3 } from 'three';
import type { LodView } from '#renderer/logic/scene/lodBudget.ts';
import { pixelsPerRad, seenPlanes } from '../engine/camera/viewSpace.ts';
import type { Viewpoint } from '../engine/camera/viewpoints.ts';
import type { SceneContent } from './sceneContent.ts';

/** `heightPx`: of the view, in pixels of the screen. */
export function lodViewOf(camera: PerspectiveCamera, heightPx: number): LodView {
  return {
    eyeM: camera.position.toArray(),
    planes: seenPlanes(camera),
    pixelsPerRad: pixelsPerRad(camera, heightPx),
  };
}

/** Plants at the height of a person rather than a map: from the south-west, towards the plants. */
export function initialView({ boxM, standingM, groundM }: SceneContent): Viewpoint {
  const box = standingM.isEmpty() ? boxM : standingM;
  const targetM = box.getCenter(new Vector3());
  const reachM = Math.min(box.getSize(new Vector3()).length() * 0.62, 46);
  targetM.z = groundM + Math.min(0.05 * reachM, 2.5);
  const offset = new Vector3(-0.62, -0.72, 0.3).multiplyScalar(reachM);
  return { positionM: targetM.clone().add(offset), targetM };
}
