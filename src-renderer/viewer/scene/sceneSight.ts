// What a camera sees of a scene, as levels of detail ask for it, and where one looks first from.
import { Frustum, Matrix4, type PerspectiveCamera, Vector3 } from 'three';
import type { LodView } from '#renderer/logic/scene/lodBudget.ts';
import type { SceneContent } from './sceneContent.ts';

/** The space in sight, in the world's coordinates. */
export function seenSpace(camera: PerspectiveCamera): Frustum {
  camera.updateMatrixWorld();
  const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  return new Frustum().setFromProjectionMatrix(matrix);
}

/** `heightPx`: of the picture, in pixels of the screen. */
export function viewOf(camera: PerspectiveCamera, heightPx: number): LodView {
  const planes = new Float32Array(24);
  for (const [index, { normal, constant }] of seenSpace(camera).planes.entries()) {
    planes.set([...normal.toArray(), constant], 4 * index);
  }
  return { eyeM: camera.position.toArray(), planes, pixelsPerRad: pixelsPerRad(camera, heightPx) };
}

export function pixelsPerRad({ fov }: PerspectiveCamera, heightPx: number): number {
  return heightPx / (2 * Math.tan((fov * Math.PI) / 360));
}

/** Plants at eye level rather than a map: from the south-west, into what stands there. */
export function firstLook({ boxM, standingM, groundM }: SceneContent): {
  eye: Vector3;
  target: Vector3;
} {
  const box = standingM.isEmpty() ? boxM : standingM;
  const target = box.getCenter(new Vector3());
  const reachM = Math.min(box.getSize(new Vector3()).length() * 0.62, 46);
  target.z = groundM + Math.min(0.05 * reachM, 2.5);
  const eye = target.clone().add(new Vector3(-0.62, -0.72, 0.3).multiplyScalar(reachM));
  return { eye, target };
}
