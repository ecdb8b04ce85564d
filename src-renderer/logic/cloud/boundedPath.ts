// A path that may grow without limit in bounded memory: when it is full, every second point of it is dropped,
// and from then on only every second, fourth … point is taken. The newest point is always its end.

export interface BoundedPath {
  /** x, y, z of each point in turn. */
  readonly xyzM: Float32Array;
  /** Points in use. */
  readonly count: number;
  /** Returns the first point that is not as it was. */
  add(xM: number, yM: number, zM: number): number;
  clear(): void;
}

/** `capacity`: max points stored, even and at least 4. */
export function createBoundedPath(capacity: number): BoundedPath {
  const xyzM = new Float32Array(3 * capacity);
  let settled = 0;
  let hasTail = false;
  let stride = 1;
  let sinceSettled = 0;

  return {
    xyzM,
    get count() {
      return settled + (hasTail ? 1 : 0);
    },
    add(xM, yM, zM) {
      const isFull = settled === capacity - 1;
      if (isFull) halve();
      const changed = isFull ? 0 : settled;
      xyzM.set([xM, yM, zM], 3 * settled);
      hasTail = true;
      sinceSettled += 1;
      if (sinceSettled < stride && settled > 0) return changed;
      settled += 1;
      hasTail = false;
      sinceSettled = 0;
      return changed;
    },
    clear() {
      settled = 0;
      hasTail = false;
      stride = 1;
      sinceSettled = 0;
    },
  };

  function halve(): void {
    const remaining = Math.ceil(settled / 2);
    for (let point = 1; point < remaining; point += 1) {
      xyzM.copyWithin(3 * point, 6 * point, 6 * point + 3);
    }
    settled = remaining;
    stride *= 2;
  }
}
