// The points of a run: the newest scans densely, and the thin trail that older ones leave. Each is a ring of fixed
// capacity, so that memory does not grow with the run.
import { Group } from 'three';
import type { PointColouring } from '#renderer/logic/colours/colouring.ts';
import type { ScaleName } from '#domain/shared/colours.ts';
import { thinPoints, type PointColumns } from '#renderer/logic/cloud/pointColumns.ts';
import { pointShares, trailStride } from '#renderer/logic/cloud/pointShares.ts';
import type { ValueRange } from '#renderer/logic/colours/valueRange.ts';
import type { ViewClip } from '../engine/clip/clipUniforms.ts';
import { createScanRing, type ScanRing } from '../engine/points/scanRing.ts';

export interface RunClouds {
  readonly object: Group;
  /** The next scan. */
  add: (points: PointColumns) => void;
  /** Points of earlier scans: dense ones, or of the trail. */
  addHistory: (points: PointColumns, isNewest: boolean) => void;
  clear: () => void;
  colour: (by: PointColouring, scale: ScaleName, range: ValueRange) => void;
  /** Another limit of points on screen; those that are there go. */
  setMaxPoints: (maxPoints: number) => void;
  /** Places of the newest scans and of the trail: x y z after one another. */
  positionsM: () => Float32Array[];
  dispose: () => void;
}

/** The clouds of a run, of at most `maxPoints` points. */
export function createRunClouds(maxPoints: number, clip: ViewClip): RunClouds {
  const object = new Group();
  let rings = createRings(maxPoints, clip);
  let stride = trailStride(maxPoints);
  let coloured: [PointColouring, ScaleName, ValueRange] = ['height', 'viridis', [0, 1]];
  let scans = 0;
  attach();

  return {
    object,
    add(points) {
      rings.newest.add(points);
      // Why another offset each time: a stationary sensor would leave the same few points.
      rings.trail.add(thinPoints(points, stride, (scans * 17) % stride));
      scans += 1;
    },
    addHistory: (points, isNewest) => (isNewest ? rings.newest : rings.trail).add(points),
    clear() {
      for (const ring of all()) ring.clear();
    },
    colour(by, scale, range) {
      coloured = [by, scale, range];
      for (const ring of all()) ring.colour(by, scale, range);
    },
    setMaxPoints(next) {
      object.clear();
      for (const ring of all()) ring.dispose();
      rings = createRings(next, clip);
      stride = trailStride(next);
      attach();
    },
    positionsM: () => all().map((ring) => ring.positionsM()),
    dispose() {
      for (const ring of all()) ring.dispose();
    },
  };

  function all(): ScanRing[] {
    return [rings.trail, rings.newest];
  }

  function attach(): void {
    for (const ring of all()) {
      object.add(ring.object);
      ring.colour(...coloured);
    }
  }
}

function createRings(maxPoints: number, clip: ViewClip): { newest: ScanRing; trail: ScanRing } {
  const shares = pointShares(maxPoints);
  return { newest: createScanRing(shares.newest, clip), trail: createScanRing(shares.trail, clip) };
}
