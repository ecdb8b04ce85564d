// The bounds of clouds, parallel to the axes.

export type PlaceM = readonly [number, number, number];

export interface BoundsM {
  minM: PlaceM;
  maxM: PlaceM;
}

/** The smallest that hold all places of all clouds, x y z after one another; null: there are none. */
export function cloudBounds(clouds: readonly Float32Array[]): BoundsM | null {
  return joinedBounds(clouds.map(boundsOf));
}

/** The smallest that hold all of these; null: there are none. */
export function joinedBounds(all: readonly (BoundsM | null)[]): BoundsM | null {
  const [first, ...others] = all.filter((one) => one !== null);
  if (first === undefined) return null;
  return others.reduce(
    (joined, { minM, maxM }) => ({
      minM: byAxis((axis) => Math.min(joined.minM[axis], minM[axis])),
      maxM: byAxis((axis) => Math.max(joined.maxM[axis], maxM[axis])),
    }),
    first,
  );
}

function boundsOf(placesM: Float32Array): BoundsM | null {
  if (placesM.length === 0) return null;
  const [x, y, z] = [endsOf(placesM, 0), endsOf(placesM, 1), endsOf(placesM, 2)];
  return { minM: [x[0], y[0], z[0]], maxM: [x[1], y[1], z[1]] };
}

function endsOf(placesM: Float32Array, axis: 0 | 1 | 2): readonly [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (let at = axis; at < placesM.length; at += 3) {
    const value = placesM[at] ?? 0;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

function byAxis(valueOf: (axis: 0 | 1 | 2) => number): PlaceM {
  return [valueOf(0), valueOf(1), valueOf(2)];
}
