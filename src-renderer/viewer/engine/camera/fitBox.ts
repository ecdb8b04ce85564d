// Distance from which a camera sees a whole box.
import { type Box3, MathUtils, type PerspectiveCamera, Vector3 } from 'three';

/** Room left at the edges. */
const margin = 1.06;

/**
 * Metres from the middle of a box towards `backwards` (a unit vector, from the box to the camera), so that a camera
 * there, looking at the middle, sees all corners. At least 0.5.
 */
export function distanceToFit(camera: PerspectiveCamera, box: Box3, backwards: Vector3): number {
  const rightward = new Vector3().crossVectors(camera.up, backwards).normalize();
  const upward = new Vector3().crossVectors(backwards, rightward);
  const half = box.getSize(new Vector3()).multiplyScalar(0.5);
  const tangent = Math.tan(MathUtils.degToRad(camera.fov) / 2);
  let distanceM = 0.5;
  for (let corner = 0; corner < 8; corner += 1) {
    const sign = (axis: number): number => (corner & (1 << axis) ? 1 : -1);
    const place = new Vector3(sign(0) * half.x, sign(1) * half.y, sign(2) * half.z);
    const near = place.dot(backwards);
    const across = Math.abs(place.dot(rightward)) / (tangent * camera.aspect);
    distanceM = Math.max(distanceM, near + across, near + Math.abs(place.dot(upward)) / tangent);
  }
  return margin * distanceM;
}
