// The space of a camera: what it sees, the size of a pixel, and where places of the world are on screen.
import { type Camera, Frustum, Matrix4, type PerspectiveCamera, Vector3 } from 'three';

type PlaceM = readonly [number, number, number];

/** How a camera is turned. */
export interface CameraPose {
  positionM: PlaceM;
  /** Unit, world. */
  forward: PlaceM;
  /** The world's axes as the camera sees them: right, up, towards it. */
  axes: readonly PlaceM[];
}

/** The visible space, in the world's coordinates. */
export function seenSpace(camera: Camera): Frustum {
  camera.updateMatrixWorld();
  const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  return new Frustum().setFromProjectionMatrix(matrix);
}

/** Six planes of it, x y z d each; inside is n · p + d >= 0. */
export function seenPlanes(camera: Camera): Float32Array {
  const planes = new Float32Array(24);
  for (const [index, { normal, constant }] of seenSpace(camera).planes.entries()) {
    planes.set([...normal.toArray(), constant], 4 * index);
  }
  return planes;
}

/** `heightPx`: of the view, in the pixels that are meant. */
export function pixelsPerRad({ fov }: PerspectiveCamera, heightPx: number): number {
  return heightPx / (2 * Math.tan((fov * Math.PI) / 360));
}

/** Where a place is on screen: −1 to 1 from left to right and from bottom to top; null: out of sight. */
export function onScreen(
  camera: PerspectiveCamera,
  placeM: PlaceM,
): { x: number; y: number } | null {
  camera.updateMatrixWorld();
  const { x, y, z } = new Vector3(...placeM).project(camera);
  return Math.abs(z) < 1 && Math.abs(x) < 1 ? { x, y } : null;
}

/** The pixel of a place in a view of that size, which may be beside it; null: it is behind the camera. */
export function pixelOf(
  camera: Camera,
  placeM: PlaceM,
  { widthPx, heightPx }: { widthPx: number; heightPx: number },
): [xPx: number, yPx: number] | null {
  const { x, y, z } = new Vector3(...placeM).project(camera);
  return z >= 1 ? null : [((x + 1) / 2) * widthPx, ((1 - y) / 2) * heightPx];
}

/** Position, direction and axes of a camera in the world. */
export function poseOf(camera: PerspectiveCamera): CameraPose {
  const of = camera.matrixWorldInverse.elements;
  return {
    positionM: camera.position.toArray(),
    forward: camera.getWorldDirection(new Vector3()).toArray(),
    axes: [0, 4, 8].map((at) => [of[at] ?? 0, of[at + 1] ?? 0, of[at + 2] ?? 0] as const),
  };
}
