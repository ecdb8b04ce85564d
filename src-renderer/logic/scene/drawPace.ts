// How many triangles a frame may have on this machine, learnt from how long frames took. While the camera moves
// a frame must come quickly; when it rests the view is drawn again, finer each time, until a frame takes long.

export interface DrawPace {
  /** Triangles that the next frame may have. */
  budget(isMoving: boolean): number;
  /** A frame with so many triangles was on screen after so long. */
  learn(triangles: number, tookMs: number): void;
  /** After a frame at rest: true where the next one may be finer. */
  refine(tookMs: number): boolean;
  /** The camera moves (again). */
  move(): void;
}

const movingMs = 33;
/** At rest a frame that took longer is not made finer. */
const restingMs = 1200;
const refinement = 4;
const minAtRest = 600_000;
/** A frame with less than this says little about the pace of triangles. */
const tellingTriangles = 10_000;

export interface DrawPaceOptions {
  /** With fewer than these a scene is not to be recognised any more. */
  minTriangles: number;
  /** Budget until the first frame was measured. */
  firstTriangles: number;
}

/** Why so few at first: without a graphics card each hundred thousand are a tenth of a second before anything is seen. */
const usualPace: DrawPaceOptions = { minTriangles: 120_000, firstTriangles: 150_000 };

/** Nothing is learnt yet. */
export function createDrawPace(
  maxTriangles: number,
  { minTriangles, firstTriangles: first } = usualPace,
): DrawPace {
  let perMs = first / movingMs;
  let atRest: number | null = null;
  let hasLearnt = false;
  const within = (triangles: number, least: number): number =>
    Math.round(Math.min(Math.max(triangles, least), maxTriangles));
  return {
    budget(isMoving) {
      const moving = within(perMs * movingMs, minTriangles);
      // Why not more at rest, too: the first frame of a scene is to come quickly.
      if (isMoving || !hasLearnt) return moving;
      atRest ??= within(refinement * moving, minAtRest);
      return atRest;
    },
    learn(triangles, tookMs) {
      if (triangles < tellingTriangles) return;
      hasLearnt = true;
      const seen = triangles / Math.max(tookMs, 1);
      // Why bounded: one slow frame, say of a shader being compiled, must not spoil the next ones.
      const bounded = Math.min(Math.max(seen, perMs / 3), perMs * 3);
      perMs += 0.5 * (bounded - perMs);
    },
    refine(tookMs) {
      if (atRest === null) return hasLearnt;
      if (atRest >= maxTriangles || tookMs > restingMs) return false;
      atRest = within(refinement * atRest, minAtRest);
      return true;
    },
    move() {
      atRest = null;
    },
  };
}
