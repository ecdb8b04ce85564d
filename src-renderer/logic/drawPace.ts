// How many triangles a frame may have on this machine: learnt from how long frames took. While the camera
// moves a frame must come quickly; when it rests it may take longer, and is drawn once.

export interface DrawPace {
  /** Triangles that the next frame may have. */
  budget(isMoving: boolean): number;
  /** A frame with so many triangles was on screen after so long. */
  learn(triangles: number, tookMs: number): void;
}

const movingMs = 33;
const restingMs = 700;
/** With fewer than this a scene is not to be recognised any more. */
const leastTriangles = 40_000;
/** A frame with less than this says little about the pace of triangles. */
const tellingTriangles = 10_000;

/** Begins by trusting the machine with `first` triangles. */
export function createDrawPace(mostTriangles: number, first = 400_000): DrawPace {
  let perMs = first / movingMs;
  return {
    budget(isMoving) {
      const allowed = perMs * (isMoving ? movingMs : restingMs);
      return Math.round(Math.min(Math.max(allowed, leastTriangles), mostTriangles));
    },
    learn(triangles, tookMs) {
      if (triangles < tellingTriangles) return;
      const seen = triangles / Math.max(tookMs, 1);
      // Why bounded: one slow frame, say of a shader being compiled, must not spoil the next ones.
      const bounded = Math.min(Math.max(seen, perMs / 3), perMs * 3);
      perMs += 0.5 * (bounded - perMs);
    },
  };
}
