// Room for what lies over a view: a box to be framed is enlarged by what the overlays hide of the view.
import { type Box3, Vector3 } from 'three';

/** Shares of the view's height that overlays cover. */
export interface CoveredShares {
  top: number;
  bottom: number;
}

/** More of the view than this is never left to overlays. */
const maxShare = 0.3;

/**
 * The box and its copies moved up and down the view, so that a camera that fits the result, seen with `upward` (unit,
 * up in the view), shows the box itself clear of both edges.
 */
export function withOverlayRoom(box: Box3, upward: Vector3, covered: CoveredShares): Box3 {
  const top = Math.min(covered.top, maxShare);
  const bottom = Math.min(covered.bottom, maxShare);
  const size = box.getSize(new Vector3());
  const heightM =
    Math.abs(size.x * upward.x) + Math.abs(size.y * upward.y) + Math.abs(size.z * upward.z);
  const wholeM = heightM / (1 - top - bottom);
  const moved = (metres: number): Box3 =>
    box.clone().translate(upward.clone().multiplyScalar(metres));
  return box
    .clone()
    .union(moved(top * wholeM))
    .union(moved(-bottom * wholeM));
}
