// Steps on the ground by arrow keys: along the axis of the world that is nearest to what the camera sees as up or right.
import type { PlaceM } from './groundShapes.ts';

/** `forward`: where the camera looks; `right` and `up`: of the key, −1 to 1. */
export function stepOnGround(
  [x, y]: readonly [number, number, number],
  right: number,
  up: number,
  stepM: number,
): PlaceM {
  const away: PlaceM =
    Math.abs(x) > Math.abs(y) ? [Math.sign(x), 0] : [0, y === 0 ? 1 : Math.sign(y)];
  const aside: PlaceM = [away[1], -away[0]];
  return [
    stepM * (up * away[0] + right * aside[0]) + 0,
    stepM * (up * away[1] + right * aside[1]) + 0,
  ];
}
