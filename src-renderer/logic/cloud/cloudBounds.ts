// The bounds of clouds.
import type { BoundsM, PlaceM } from './clipBox.ts';

/** The smallest that hold all places of all clouds, x y z after one another; null: there are none. */
export function cloudBounds(clouds: readonly Float32Array[]): BoundsM | null {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (const placesM of clouds) {
    for (let axis = 0; axis < 3; axis += 1) {
      let [low, high] = [min[axis] ?? 0, max[axis] ?? 0];
      for (let at = axis; at < placesM.length; at += 3) {
        const value = placesM[at] ?? 0;
        if (value < low) low = value;
        if (value > high) high = value;
      }
      [min[axis], max[axis]] = [low, high];
    }
  }
  const placeOf = ([x = 0, y = 0, z = 0]: number[]): PlaceM => [x, y, z];
  return (min[0] ?? 0) > (max[0] ?? 0) ? null : { minM: placeOf(min), maxM: placeOf(max) };
}
